package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.snapshot.Snapshot;
import java.time.Instant;

/**
 * Which rows before the window are rolled up again: those with a cell of this time or a later one.
 *
 * @param time by the clocks of the region servers
 * @param table the data table that this is said of; null when nobody knows
 * @param maxRows how many rows may be found, which the driver keeps in memory
 */
public record ChangedSince(Instant time, String table, int maxRows) {

  /**
   * Makes sure that it is said of this snapshot.
   *
   * @throws RollupException usage, when it is of another table, or nothing can have changed
   */
  void check(Snapshot data) {
    if (table != null && !table.equals(data.table())) {
      throw RollupException.usage(
          "--since-report must be of a run over the same data table: it read "
              + table
              + ", snapshot '"
              + data.name()
              + "' is of "
              + data.table());
    }
    Instant taken = Instant.ofEpochMilli(data.creationTime());
    if (time.isAfter(taken)) {
      throw RollupException.usage(
          "the time since which rows have changed must be before the snapshot was taken ("
              + taken
              + "), found: "
              + time);
    }
  }
}
