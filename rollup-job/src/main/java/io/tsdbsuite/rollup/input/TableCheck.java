package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import org.apache.hadoop.hbase.TableName;

/** Compares a snapshot's table with the table in the TSD's configuration. */
final class TableCheck {
  private TableCheck() {}

  /**
   * Checks that the snapshot is of the configured table.
   *
   * @param key key in opentsdb.conf, for the message
   * @param table value of that key
   * @throws JobException usage, when the snapshot is of another table
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
