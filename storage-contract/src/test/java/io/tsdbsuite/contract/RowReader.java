package io.tsdbsuite.contract;

import io.tsdbsuite.format.row.CellProblem;

/** A reader of raw rows, which must give the same results as OpenTSDB. */
interface RowReader {
  Reading read(GeneratedRow row);

  /** The result of reading a row. */
  sealed interface Reading {}

  /** The row has no points. */
  record Nothing() implements Reading {}

  /** The row is unreadable; {@code problem} is null if no single cell is the cause. */
  record Refused(CellProblem problem, String message) implements Reading {}

  /** The points, encoded as one compacted cell, and the aggregates of their hour. */
  @SuppressWarnings("ArrayRecordComponent") // Compared field by field.
  record Read(byte[] qualifier, byte[] value, double sum, double min, double max, double count)
      implements Reading {}
}
