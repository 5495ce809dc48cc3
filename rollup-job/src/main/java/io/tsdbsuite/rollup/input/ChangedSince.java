package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the rows before the window to roll up again: rows with a cell at or after {@code time}.
 *
 * @param time cell timestamp, by the clocks of the region servers
 * @param taken when the earlier snapshot was taken; null when unknown
 * @param table the data table that {@code time} refers to; null when unknown
 * @param maxRows limit for the number of changed rows, which the driver keeps in memory
 * @param allowLost whether outdated rollups may stay: rollups of deleted points, or of bulk-loaded
 *     rows that cannot be identified
 * @param files names of the HFiles that the table had at {@code time} ({@link
 *     io.tsdbsuite.hbase.snapshot.StoreFilePath#hfile}); in a file that was not compacted from them
 *     every cell is new, independent of its timestamp; null when unknown
 * @param earlier rows that are sought besides; null: none
 */
public record ChangedSince(
    Instant time,
    @Nullable Instant taken,
    @Nullable String table,
    int maxRows,
    boolean allowLost,
    @Nullable Set<String> files,
    @Nullable Earlier earlier) {
  /**
   * Rows that have changed since a snapshot before the other one: the coverage of their hours is of
   * that time.
   *
   * @param until end of these rows, seconds since the epoch, exclusive
   * @param time as of {@link ChangedSince}
   * @param taken when that snapshot was taken
   * @param files names of its HFiles
   */
  public record Earlier(long until, Instant time, Instant taken, Set<String> files) {}

  /** Selects the rows of {@link #earlier} alone. */
  public ChangedSince only(Earlier rows) {
    return new ChangedSince(rows.time(), rows.taken(), table, maxRows, false, rows.files(), null);
  }

  /**
   * Checks that this selection applies to the snapshot.
   *
   * @throws JobException usage, when it refers to another table, or when no row can have changed
   */
  void check(Snapshot data) {
    if (table != null && !table.equals(data.table())) {
      throw JobException.usage(
          ("--since-report must be of a run over the same data table: it read %s, snapshot"
                  + " '%s' is of %s")
              .formatted(table, data.name(), data.table()));
    }
    Instant taken = Instant.ofEpochMilli(data.creationTime());
    if (time.isAfter(taken)) {
      throw JobException.usage(
          ("the time since which rows have changed must be before the snapshot was taken"
                  + " (%s), found: %s")
              .formatted(taken, time));
    }
  }
}
