package io.tsdbsuite.rollup.load;

import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.hfile.TargetTable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Checks the attributes of a rollup table that decide what becomes of loaded cells. */
final class LoadTargetCheck {
  private static final byte[] FAMILY = TargetTable.FAMILY.getBytes(StandardCharsets.ISO_8859_1);

  private LoadTargetCheck() {}

  /**
   * Returns the reasons against a load, one sentence each; empty if there are none.
   *
   * @param stamp of all cells, milliseconds since the epoch
   * @param allowUnreplicated whether the peers of a replicated table may lack the cells
   */
  static List<String> problems(
      TableDescriptor table, long stamp, Instant now, boolean allowUnreplicated) {
    String name = "table " + table.getTableName() + " ";
    if (!table.hasColumnFamily(FAMILY)) {
      return List.of(name + "must have the column family " + TargetTable.FAMILY);
    }
    List<String> problems = new ArrayList<>();
    if (table.isReadOnly()) {
      problems.add(name + "must take writes, found READONLY => 'true'");
    }
    TableLayout layout = TableLayout.of(table, FAMILY, List.of());
    long oldest = now.minusSeconds(layout.ttlSeconds()).toEpochMilli();
    if (layout.ttlSeconds() != HConstants.FOREVER && layout.minVersions() == 0 && stamp <= oldest) {
      problems.add(
          name
              + "lets cells expire "
              + layout.ttlSeconds()
              + " s after their timestamp (TTL), so the cells of this run, stamped "
              + Instant.ofEpochMilli(stamp)
              + ", would be gone at once: run the window again with --as-of now, or without the"
              + " TTL");
    }
    String replication = HFileSupport.replication(layout);
    if (replication != null && !allowUnreplicated) {
      problems.add(
          name
              + replication
              + ": make sure of it and give --allow-unreplicated, load the run into each cluster"
              + " with it, or use Kafka");
    }
    return problems;
  }
}
