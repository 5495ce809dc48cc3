package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.plan.job.ExecutorPlan;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HFiles that a table shares with another or with itself, and cells that HBase hides. */
class ClonedAndSplitIT {
  private final HBaseServer hbase = SharedStack.get().hbase();

  /** In a namespace too, whose colon is in no path. */
  @ParameterizedTest
  @ValueSource(strings = {"clone-data", "clones:data"})
  void linksAndReferences(String table) throws Exception {
    SmallData data = SmallData.get();
    String snapshot = table.replace(':', '-') + "-snapshot";
    try (Admin admin = hbase.connection().getAdmin()) {
      if (table.contains(":")) {
        admin.createNamespace(NamespaceDescriptor.create("clones").build());
      }
      admin.cloneSnapshot(SmallData.DATA_SNAPSHOT, TableName.valueOf(table));
    }
    // The same cells once more, in files of the clone itself.
    hbase.putCells(table, hbase.cells(table));
    hbase.flush(table);
    RollupKey middle =
        data.answers(SmallData.FROM + 7200, SmallData.FROM + 10800).keySet().iterator().next();
    hbase.split(table, data.row(middle));
    hbase.snapshot(table, snapshot);
    Snapshot loaded = new SnapshotLoader(new Configuration(), hbase.rootDir()).load(snapshot, "t");
    List<String> names =
        loaded.regions().stream()
            .flatMap(region -> region.storeFiles().stream())
            .map(file -> file.getName())
            .toList();
    assertThat(names).anyMatch(HFileLink::isHFileLink);
    assertThat(names)
        .anyMatch(name -> StoreFileInfo.isReference(name) && name.contains(SmallData.TABLE + "="));

    assertThat(names)
        .anyMatch(name -> StoreFileInfo.isReference(name) && !name.contains(SmallData.TABLE + "="));

    new ExecutorPlan(loaded, SmallData.START, SmallData.END).check(StorageSchema.defaults());
    for (String reader : List.of("auto", "merge")) {
      requireAll(data, table, snapshot, reader);
    }
  }

  private void requireAll(SmallData data, String table, String snapshot, String reader)
      throws Exception {
    JobRun run =
        new JobRun(TestFiles.directory("clone-" + reader))
            .json()
            .reader(reader)
            .with(data.input(hbase.rootDir(), snapshot, SmallData.UID_SNAPSHOT))
            .with("--tsd.storage.hbase.data_table=" + table)
            .with(SmallData.window(SmallData.START, SmallData.END))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(data.answers(SmallData.START, SmallData.END), run.rollups()))
        .isEmpty();
    assertThat(run.reportJson().get("booksClose").booleanValue()).isTrue();
  }

  @Test
  void versionsDeletesAndTimeToLive() throws Exception {
    Map<String, String> conf = CorrectnessIT.conf("versions");
    String table = "versions-data";
    SharedStack.get().create(OpenTsdbTables.of(conf).ttl(Duration.ofHours(2)));
    threeVersions(table);
    TsdServer tsd = SharedStack.get().startTsd("versions", conf);
    List<DataPoint> points = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      for (int i = 0; i < 20; i++) {
        long time = SmallData.FROM + hour * SmallData.HOUR + i * 7L;
        points.add(new DataPoint("v.v", time, (long) i, Map.of("host", "h" + i % 4)));
      }
    }
    tsd.client().put(points);
    hbase.flush(table);
    hide(table);
    hbase.snapshot(table, "versions-snapshot");
    hbase.snapshot("versions-uid", "versions-uid-snapshot");
    SortedMap<RollupKey, RollupValues> expected =
        new TsdOracle(tsd.client()).rollups("v.v", SmallData.FROM, SmallData.TO, "1h");
    tsd.stop();
    // Rows of one of eight hours are deleted or have expired.
    assertThat(expected).hasSize(18 * 4);

    JobRun refused = versions(tsd, "auto").run();
    assertThat(refused.exitCode()).as(refused::everything).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains("the TTL of table " + table + " (7200 s)", "--allow-expired");
    assertThat(refused.output()).doesNotExist();
    for (String reader : List.of("auto", "merge")) {
      requireVisible(tsd, reader, expected);
    }
  }

  private JobRun versions(TsdServer tsd, String reader) {
    return new JobRun(TestFiles.directory("versions-" + reader))
        .json()
        .reader(reader)
        .with(
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=versions-snapshot",
            "--uid-snapshot=versions-uid-snapshot",
            "--tsd-config=" + tsd.configFile(),
            "--rollup-config=" + SmallData.get().rollupConfig())
        .with(SmallData.window(SmallData.FROM, SmallData.TO));
  }

  private void requireVisible(
      TsdServer tsd, String reader, SortedMap<RollupKey, RollupValues> expected) throws Exception {
    JobRun run =
        versions(tsd, reader)
            // Points were written long after their time, so that their hours are whole.
            .with("--allow-expired")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(expected, run.rollups())).isEmpty();
    // Versions below the newest are HBase's affair and no duplicates of a point.
    assertThat(run.reportJson().at("/points/duplicates").longValue()).isZero();
  }

  private void threeVersions(String table) throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableName name = TableName.valueOf(table);
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(3).build());
    }
  }

  /** Newer and older versions, deletes and expired cells, each in a later HFile than the puts. */
  private void hide(String table) throws Exception {
    List<RawCell> newer = new ArrayList<>();
    List<RawCell> older = new ArrayList<>();
    List<RawCell> expired = new ArrayList<>();
    for (RawCell cell : hbase.cells(table)) {
      switch ((ByteBuffer.wrap(cell.row()).getInt(3) - (int) SmallData.FROM) / 3600 % 8) {
        case 1 -> newer.add(version(cell, cell.timestamp() + 1000));
        case 2 -> older.add(version(cell, cell.timestamp() - 1000));
        case 3 -> hbase.deleteRow(table, cell.row());
        case 4 -> {
          if (cell.qualifier()[1] % 3 == 0) {
            hbase.deleteCell(table, cell.row(), "t", cell.qualifier());
          }
        }
        case 5 -> {
          // Deleted, and then there again with a time that is past its time to live.
          hbase.deleteRow(table, cell.row());
          expired.add(version(cell, cell.timestamp() - Duration.ofHours(3).toMillis()));
        }
        default -> {
          // As the TSD wrote it.
        }
      }
    }
    for (List<RawCell> cells : List.of(newer, older, expired)) {
      assertThat(cells).isNotEmpty();
      hbase.putCells(table, cells);
      hbase.flush(table);
    }
  }

  private static RawCell version(RawCell cell, long timestamp) {
    byte[] value = cell.value().clone();
    value[value.length - 1] = (byte) (value[value.length - 1] + 50);
    return new RawCell(cell.row(), cell.family(), cell.qualifier(), timestamp, value);
  }
}
