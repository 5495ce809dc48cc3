package io.tsdbsuite.bulk.parse;

/**
 * Position in a part of the input at which reading can continue.
 *
 * @param bytes offset of the next line in the decompressed part; for formats without lines, the
 *     number of bytes read so far, for progress only
 * @param lines number of lines before it; for formats without lines, the number of points
 * @param points number of points before it, including rejected points; formats without lines resume
 *     after this number of points
 */
public record Position(long bytes, long lines, long points) {
  /** The beginning. */
  public static final Position START = new Position(0, 0, 0);
}
