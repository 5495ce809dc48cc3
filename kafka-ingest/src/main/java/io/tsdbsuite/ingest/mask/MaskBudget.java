package io.tsdbsuite.ingest.mask;

import io.tsdbsuite.ingest.mask.MaskSet.Width;

/**
 * How much of masks may still be written, so that the table never has more than readers take: the
 * more it has, the wider are new ones. For one thread.
 *
 * <p>All TSDs write the table, and each counts it before it writes much. So the bounds are far
 * below those of {@link io.tsdbsuite.coverage.CoverageReader}.
 */
final class MaskBudget {
  static final int ROWS_OF_HOURS = 20_000;
  static final int ROWS_OF_DAYS = 30_000;
  static final int ROWS = 40_000;
  static final int CELLS = 100_000;

  /** How much may be written before the table is counted again. */
  static final int ROWS_UNCOUNTED = 500;

  static final int CELLS_UNCOUNTED = 5_000;

  /** How long a count is used, milliseconds. */
  static final long MAX_AGE = 60_000;

  private int rows;
  private int cells;
  private int newRows;
  private int newCells;
  private long countedAt = Long.MIN_VALUE;

  /**
   * Whether the table must be counted before the next masks are written.
   *
   * @param now milliseconds of a monotonic clock
   */
  boolean mustCount(long now) {
    return countedAt == Long.MIN_VALUE
        || now - countedAt > MAX_AGE
        || newRows > ROWS_UNCOUNTED
        || newCells > CELLS_UNCOUNTED;
  }

  /** Takes what was counted. */
  void counted(int rowsFound, int cellsFound, long now) {
    rows = rowsFound;
    cells = cellsFound;
    newRows = 0;
    newCells = 0;
    countedAt = now;
  }

  /** Notes what was written since; cells that the table had already count, too. */
  void written(int rowsWritten, int cellsWritten) {
    newRows += rowsWritten;
    newCells += cellsWritten;
  }

  /** An empty set for the next masks. */
  MaskSet next(MaskLimits limits) {
    int all = rows + newRows;
    Width width =
        all < ROWS_OF_HOURS
            ? Width.HOUR
            : all < ROWS_OF_DAYS ? Width.DAY : all < ROWS ? Width.DAY_OF_ALL : Width.EVERYTHING;
    return new MaskSet(limits, width, cells + newCells < CELLS ? limits.names : 0);
  }
}
