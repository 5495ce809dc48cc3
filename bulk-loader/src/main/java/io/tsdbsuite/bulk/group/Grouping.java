package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.SeriesCheck;
import io.tsdbsuite.bulk.series.SeriesResolver;
import io.tsdbsuite.format.row.RowKey;

/**
 * Parameters of a grouper.
 *
 * @param memoryBytes share of memory of one grouper, at least {@link #MIN_MEMORY}
 * @param activeFrom base time from which on hours are refused, seconds since the epoch, UTC; {@link
 *     Long#MAX_VALUE} to take all
 * @param onConflict rule for different values of one instant
 * @param rowKey widths of the installation
 * @param check parses the names of new series; used by one thread
 * @param resolver finds or assigns UIDs
 * @param rejects receives rejected points; used by one thread
 * @param sinks takes spills
 * @param watch receives each position; may stop reading
 */
public record Grouping(
    long memoryBytes,
    long activeFrom,
    OnConflict onConflict,
    RowKey rowKey,
    SeriesCheck check,
    SeriesResolver resolver,
    RejectSink rejects,
    HourSinks sinks,
    ReadListener watch) {
  /** The least memory that a grouper can work with, bytes. */
  public static final long MIN_MEMORY = 8 << 20;

  /**
   * Checks the memory.
   *
   * @throws IllegalArgumentException when it is too small
   */
  public Grouping {
    if (memoryBytes < MIN_MEMORY) {
      throw new IllegalArgumentException(
          "memory of a grouper must be at least " + MIN_MEMORY + " bytes, found " + memoryBytes);
    }
  }
}
