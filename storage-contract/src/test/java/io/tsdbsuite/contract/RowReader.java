package io.tsdbsuite.contract;

import io.tsdbsuite.format.row.CellProblem;

/** Something that reads raw rows and must agree with OpenTSDB about them. */
interface RowReader {
  Reading read(GeneratedRow row);

  /** What a reader makes of a row. */
  sealed interface Reading {}

  /** The row has no points. */
  record Nothing() implements Reading {}

  /** The row cannot be read; {@code problem} is null if no single cell is to blame. */
  record Refused(CellProblem problem, String message) implements Reading {}

  /** The points, as the one cell that a compaction would make of them, and their hour's numbers. */
  @SuppressWarnings("ArrayRecordComponent") // Compared field by field.
  record Read(byte[] qualifier, byte[] value, double sum, double min, double max, double count)
      implements Reading {}
}
