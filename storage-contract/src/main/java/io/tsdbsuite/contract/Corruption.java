package io.tsdbsuite.contract;

import io.tsdbsuite.format.row.CellProblem;
import org.jspecify.annotations.Nullable;

/** A corruption of a generated cell, and the problem that a reader must report for it. */
public enum Corruption {
  /** A column without a qualifier. */
  EMPTY_QUALIFIER(CellProblem.EMPTY_QUALIFIER),
  /** Two bytes that begin with f. */
  CUT_MILLIS_QUALIFIER(CellProblem.CUT_MILLIS_QUALIFIER),
  /** A compacted qualifier whose last point begins with f but has two bytes. */
  CUT_MILLIS_IN_COMPACTED(CellProblem.CUT_MILLIS_QUALIFIER),
  /** 1 or 5 bytes that begin with 05. */
  ODD_APPEND_QUALIFIER(CellProblem.ODD_APPEND_QUALIFIER),
  /** A second offset of 3600 to 3839. */
  SECONDS_OUT_OF_ROW(CellProblem.SECONDS_OUT_OF_ROW),
  /** A millisecond offset above 3599999. */
  MILLIS_OUT_OF_ROW(CellProblem.MILLIS_OUT_OF_ROW),
  /** An integer of 3, 5, 6 or 7 bytes. */
  INTEGER_WIDTH(CellProblem.INTEGER_WIDTH),
  /** A floating point number of neither 4 nor 8 bytes. */
  FLOAT_WIDTH(CellProblem.FLOAT_WIDTH),
  /** A float on 8 bytes, flagged as 4, that does not begin with zeros. */
  HISTORIC_FLOAT(CellProblem.HISTORIC_FLOAT),
  /** A millisecond point with more bytes than its qualifier states. */
  LONG_MILLIS_VALUE(CellProblem.VALUE_LENGTH),
  /** A compacted value that ends between two points. */
  CUT_BETWEEN_POINTS(CellProblem.VALUE_LENGTH),
  /** A compacted value that ends inside a point. */
  CUT_INSIDE_POINT(CellProblem.VALUE_LENGTH),
  /** A compacted value with several bytes after its last point. */
  EXTRA_BYTES(CellProblem.VALUE_LENGTH),
  /** A compacted cell whose points do not ascend. */
  UNSORTED_POINTS(CellProblem.UNSORTED_POINTS),
  /** A compacted cell with one instant twice, one after the other. */
  DUPLICATE_POINTS(CellProblem.DUPLICATE_POINTS),
  /** An append cell that ends inside a point. */
  TRUNCATED_APPEND(CellProblem.TRUNCATED_APPEND),
  /**
   * A point column with an empty value: the cell is dropped and counted, the row stays readable.
   */
  EMPTY_VALUE(null);

  private final @Nullable CellProblem problem;

  Corruption(@Nullable CellProblem problem) {
    this.problem = problem;
  }

  /** The problem to report; null if the cell is dropped without one. */
  public @Nullable CellProblem problem() {
    return problem;
  }
}
