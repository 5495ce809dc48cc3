package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.WriteableDataPointFilterPlugin;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** The threads of HBase's client serve the whole TSD: no rollup is computed there. */
class RepairThreadIT {
  private static final long DAY = 1763510400L;
  private static final String DROPPED = "thread-histogram-10m";

  /** {@link LateFilter} refuses what is written in such a thread, and metrics of its own. */
  @Test
  void aDayIsNotMergedInAThreadOfHBasesClient() throws IOException {
    Map<String, String> conf =
        Map.of(
            "tsd.timeseriesfilter.enable",
            "true",
            "tsd.timeseriesfilter.plugin",
            LateFilter.class.getName(),
            "tsd.rollups.config",
            RepairStack.withHistograms(RepairStack.ROLLUP_CONFIG)
                .replace("Tables\":{", "Tables\":{\"10m\":\"" + DROPPED + "\","));
    String metric = "repair.thread.hist";
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      create(admin);
    }
    try (RepairStack stack =
        new RepairStack(
            "repair-thread",
            conf,
            List.of(
                IngestStack.jar(),
                IngestStack.plugin(
                    WriteableDataPointFilterPlugin.class,
                    LateFilter.class,
                    LateFilter.class,
                    LateFilter.Answer.class)))) {
      stack.store("points", RepairStack.point(metric, DAY + 1, 1));
      stack.store("points", RepairStack.point(metric, DAY + 7201, 2));
      stack.store("requests", RepairStack.request(metric, DAY, "1h", "1d"));
      assertThat(StoredRollups.of("repair-1h", 3600, metric))
          .isEqualTo(Map.of(DAY, new Rollup(1, 1, 1, 1)));
      assertThat(StoredRollups.of("repair-1d", 86_400, metric))
          .isEqualTo(Map.of(DAY, new Rollup(3, 1, 2, 2)));
      Sketch sketch = new Sketch();
      sketch.add(1);
      assertThat(StoredRollups.cells("tsdb-preagg", metric))
          .singleElement()
          .satisfies(cell -> assertThat(cell.value()).endsWith(sketch.bytes()));
      sketch.add(2);
      assertThat(StoredRollups.cells("repair-hist-1d", metric))
          .singleElement()
          .satisfies(cell -> assertThat(cell.value()).endsWith(sketch.bytes()));
      String histogram =
          "\"v\":2,\"histogram\":{\"codec\":\"io.tsdbsuite.histogram.SketchCodec\",\"value\":\""
              + Base64.getEncoder().encodeToString(sketch.bytes())
              + "\"}";
      String refused = RepairStack.rollup("thread.refused", "1h", DAY, DAY * 1000, 1);
      stack.store("rollups", refused.replace("\"v\":1", histogram));
      assertThat(StoredRollups.cells("repair-1h", "thread.refused")).isEmpty();
      assertThat(StoredRollups.cells("tsdb-preagg", "thread.refused")).isEmpty();
      assertThat(stack.status("rollups").at("/messages/stored").asLong()).isOne();
      // A table that was dropped stops the partition, as one of rollups.
      String first = RepairStack.rollup("thread.first", "10m", DAY, DAY * 1000, 1);
      stack.store("rollups", first.replace("\"v\":1", histogram));
      assertThat(StoredRollups.cells(DROPPED, "thread.first")).hasSize(1);
      try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
        admin.disableTable(TableName.valueOf(DROPPED));
        admin.deleteTable(TableName.valueOf(DROPPED));
        stack.send(
            "rollups", List.of(first.replace("first", "later").replace("\"v\":1", histogram)));
        Await.until(
            "the partition to stop",
            IngestStack.PATIENCE,
            () -> stack.status("rollups").get("storageFailures").asLong() > 0);
        Await.until(
            "the log to name the table",
            IngestStack.PATIENCE,
            () -> stack.tsd().logTail().contains(DROPPED));
        assertThat(stack.status("rollups").at("/messages/stored").asLong()).isEqualTo(2);
        create(admin);
      }
      stack.await("rollups");
      assertThat(StoredRollups.cells(DROPPED, "thread.later"))
          .singleElement()
          .satisfies(cell -> assertThat(cell.value()).endsWith(sketch.bytes()));
      assertThat(StoredRollups.cells("repair-10m", "thread.later")).hasSize(4);
    }
  }

  private static void create(Admin admin) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TableName.valueOf(DROPPED))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
            .build());
  }
}
