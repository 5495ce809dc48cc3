package io.tsdbsuite.bulk.parse;

/**
 * A series as its input names it: two parts of one array, UTF-8. Reused by its reader for the next
 * point.
 *
 * <pre>
 *   metric   sys.cpu.user
 *   tags     host=web01 cpu=0        pairs in the order of the input, blanks or tabs between them
 * </pre>
 *
 * <p>Only their presence is checked. Readers of other formats than import lines must refuse names
 * with a blank or {@code =}.
 */
public final class SeriesText {
  /** The array that the four offsets and lengths belong to. */
  public byte[] bytes = new byte[0];

  /** Where the metric begins. */
  public int metricOff;

  /** Length of the metric, bytes, at least 1. */
  public int metricLen;

  /** Where the first tag begins. */
  public int tagsOff;

  /** Length of all tags, bytes; no blank at either end; 0 if there is no tag. */
  public int tagsLen;

  /** Line of the point in its part of the input, from 1. */
  public long line;
}
