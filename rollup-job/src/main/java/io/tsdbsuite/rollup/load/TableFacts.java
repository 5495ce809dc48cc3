package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.TableLayout;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;

/** What HBase says of the tables that a coverage is about. */
public final class TableFacts {
  /** A table whose cells do not expire. */
  public static final long FOREVER = Long.MAX_VALUE;

  private static final byte[] FAMILY = RowKey.family();

  private TableFacts() {}

  /**
   * How long a table keeps cells, seconds; {@link #FOREVER}: always.
   *
   * @throws IOException when HBase fails, or does not have the table
   */
  public static long ttl(Admin admin, String table) throws IOException {
    TableLayout layout =
        TableLayout.of(admin.getDescriptor(TableName.valueOf(table)), FAMILY, List.of());
    // Without the family nothing is stored.
    return !layout.hasFamily()
            || layout.ttlSeconds() == HConstants.FOREVER
            || layout.minVersions() > 0
        ? FOREVER
        : layout.ttlSeconds();
  }

  /**
   * Whether a snapshot is of this HBase and table. A run over another one may have read a copy of
   * the table, or a replica of it, which may lack points.
   *
   * @param time when it was taken, milliseconds since the epoch
   * @throws IOException when HBase fails
   */
  public static boolean hasSnapshot(Admin admin, String table, String name, long time)
      throws IOException {
    for (SnapshotDescription each : snapshots(admin)) {
      if (each.getName().equals(name)
          && each.getCreationTime() == time
          && TableName.valueOf(table).equals(each.getTableName())) {
        return true;
      }
    }
    return false;
  }

  /** Those that HBase shows; none if it does not take any. */
  private static List<SnapshotDescription> snapshots(Admin admin) throws IOException {
    try {
      return admin.listSnapshots();
    } catch (DoNotRetryIOException e) {
      return List.of();
    }
  }
}
