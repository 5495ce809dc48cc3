package io.tsdbsuite.bulk.group;

/** Receives the progress of a grouper, and may stop it. Called once per megabyte of input or so. */
@FunctionalInterface
public interface ReadListener {
  /**
   * A position was reached.
   *
   * @param points read since the last one, rejected ones among them
   * @param bytes of text since then
   * @return false to stop reading
   */
  boolean reached(long points, long bytes);
}
