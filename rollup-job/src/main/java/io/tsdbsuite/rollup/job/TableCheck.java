package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import org.apache.hadoop.hbase.TableName;

/** Holds a snapshot's table against the one that the TSD's configuration names. */
final class TableCheck {
  private TableCheck() {}

  /**
   * Makes sure that the snapshot is of the configured table.
   *
   * @param key of opentsdb.conf, and
   * @param table what it says
   * @throws JobException usage, when it is of another one
   */
  static void require(Snapshot snapshot, String key, String table) {
    if (!same(snapshot.table(), table)) {
      throw JobException.usage(
          "snapshot '"
              + snapshot.name()
              + "' is of table "
              + snapshot.table()
              + ", but "
              + key
              + " is "
              + table
              + ": is it the right snapshot, and the right --tsd-config? For a copy of the table"
              + " under another name, add --"
              + key
              + "="
              + snapshot.table());
    }
  }

  /** {@code default:tsdb} and {@code tsdb} are one table. */
  private static boolean same(String snapshot, String configured) {
    try {
      return TableName.valueOf(snapshot).equals(TableName.valueOf(configured));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
