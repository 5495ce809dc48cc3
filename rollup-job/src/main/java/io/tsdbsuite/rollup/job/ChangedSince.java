package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.util.Set;

/**
 * Which rows before the window are rolled up again: those with a cell of this time or a later one.
 *
 * @param time by the clocks of the region servers
 * @param table the data table that this is said of; null when nobody knows
 * @param maxRows how many rows may be found, which the driver keeps in memory
 * @param allowLost whether rollups may stay that are known to be of points which are gone, or of
 *     rows that came by bulk load and cannot be told
 * @param files names of the HFiles that the table had then ({@link
 *     io.tsdbsuite.hbase.snapshot.StoreFileNames}): what other files have is new whatever its
 *     timestamp, if they were not made of those; null when nobody knows
 */
public record ChangedSince(
    Instant time, String table, int maxRows, boolean allowLost, Set<String> files) {

  /**
   * Makes sure that it is said of this snapshot.
   *
   * @throws JobException usage, when it is of another table, or nothing can have changed
   */
  void check(Snapshot data) {
    if (table != null && !table.equals(data.table())) {
      throw JobException.usage(
          "--since-report must be of a run over the same data table: it read "
              + table
              + ", snapshot '"
              + data.name()
              + "' is of "
              + data.table());
    }
    Instant taken = Instant.ofEpochMilli(data.creationTime());
    if (time.isAfter(taken)) {
      throw JobException.usage(
          "the time since which rows have changed must be before the snapshot was taken ("
              + taken
              + "), found: "
              + time);
    }
  }
}
