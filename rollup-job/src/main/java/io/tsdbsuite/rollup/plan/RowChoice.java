package io.tsdbsuite.rollup.plan;

/** Which rows of a data table are rolled up, and the way from one of them to the next. */
public interface RowChoice {

  /** Whether the row is wanted. */
  boolean contains(byte[] key, int off, int len);

  /**
   * The smallest row after a row that is not wanted that can be wanted; null when there is none.
   *
   * @param key a row for which {@link #contains} is false
   */
  byte[] nextAfter(byte[] key, int off, int len);

  /** The first row of the metric after the row's that can be wanted; null when there is none. */
  byte[] nextMetric(byte[] key, int off, int len);

  /**
   * The first row after those that are wanted together with a row; null when no row comes after.
   *
   * @param row a wanted row, or the first bytes of one
   */
  byte[] endOfStretch(byte[] row);
}
