package io.tsdbsuite.rollup.plan;

import org.jspecify.annotations.Nullable;

/** Selects the rows of a data table to roll up, and gives seek targets between them. */
public interface RowChoice {

  /** Whether the row is selected. */
  boolean contains(byte[] key, int off, int len);

  /**
   * Returns the next possible selected row after an unselected row; null if there is none.
   *
   * @param key a row for which {@link #contains} is false
   */
  byte @Nullable [] nextAfter(byte[] key, int off, int len);

  /** Returns the first possible selected row of the next metric; null if there is none. */
  byte @Nullable [] nextMetric(byte[] key, int off, int len);

  /**
   * Returns the first row after the contiguous selected range of a row; null if no row follows.
   *
   * @param row a selected row, or a prefix of one
   */
  byte @Nullable [] endOfStretch(byte[] row);
}
