package io.tsdbsuite.rollup.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** The commands {@code rollup-job coverage}, one after the other over the same tables. */
class CoverageCommandIT {
  private static final String NAME = "cov-cmd";
  private static final String COVERAGE = "cov-cmd-coverage";
  private static final String HOUR = "1h, 2025-11-19T00:00:00Z to 2025-11-19T01:00:00Z";
  private static final String TIMES = "1h, 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z";

  private final HBaseServer hbase = SharedStack.get().hbase();

  private static JobRun coverage(RollupStore store, String command, String... more) {
    return coverage(store.configFile(), COVERAGE, command, more);
  }

  private static JobRun coverage(Path config, String table, String command, String... more) {
    JobRun run =
        new JobRun(TestFiles.directory(NAME))
            .with("coverage", command, "--tsd-config=" + config)
            .with("--coverage-table=" + table)
            .with(more);
    return run.run();
  }

  private static JobRun done(JobRun run) {
    return ended(run, ExitCode.DONE);
  }

  private static JobRun ended(JobRun run, ExitCode exitCode) {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(exitCode);
    return run;
  }

  private String[] snapshots(String rollups) {
    return snapshots(SmallData.DATA_SNAPSHOT, rollups);
  }

  private String[] snapshots(String data, String rollups) {
    return new String[] {
      "--snapshot-root=" + hbase.rootDir(),
      "--data-snapshot=" + data,
      "--uid-snapshot=" + SmallData.UID_SNAPSHOT,
      "--against-snapshot=" + rollups,
      "--from=" + SmallData.FROM,
      "--to=" + SmallData.TO
    };
  }

  @Test
  void addListVerifyRemove() throws Exception {
    try (RollupStore store = RollupStore.start(NAME, "1h")) {
      ended(coverage(store, "list"), ExitCode.USAGE);
      SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("small")).coverage(COVERAGE));
      assertThat(done(coverage(store, "list")).out()).contains("the table is empty");
      Path directory = TestFiles.directory("hfile");
      done(store.job(directory, SmallData.FROM, SmallData.TO).run());
      LoadRun load =
          LoadRun.of(LoadRun.runDirectory(directory), store.configFile(), "--no-coverage");
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);

      String table = store.table("1h");
      hbase.snapshot(table, NAME + "-1");
      JobRun verified =
          done(
              new JobRun(TestFiles.directory(NAME))
                  .with("verify", "--tsd-config=" + store.configFile())
                  .with(snapshots(NAME + "-1"))
                  .run());
      String report = "--evidence=" + verified.report();
      assertThat(done(coverage(store, "add", report, "--dry-run")).out()).contains("would add ");
      assertThat(done(coverage(store, "add", report)).out()).startsWith("added " + TIMES);
      // Again, with the marker that the first time has written.
      done(coverage(store, "add", report));

      assertThat(done(coverage(store, "list", "--metric=a.a")).out())
          .contains("window           " + TIMES, "metrics a.a")
          .contains("proven           2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z")
          .doesNotContain("not counted", "hole");
      assertThat(
              new ObjectMapper()
                  .readTree(done(coverage(store, "list", "--json")).out())
                  .at("/intervals/0/windows/0/evidence")
                  .textValue())
          .contains("SHA-256");

      JobRun early = coverage(store, "verify", snapshots(NAME + "-1"));
      assertThat(ended(early, ExitCode.USAGE).out()).contains("after the snapshot of its rollup");
      hbase.snapshot(table, NAME + "-2");
      assertThat(done(coverage(store, "verify", snapshots(NAME + "-2"))).out())
          .contains("proven " + TIMES);

      spoil(table);
      hbase.snapshot(table, NAME + "-3");
      assertThat(coverage(store, "verify", args(snapshots(NAME + "-3"), "--dry-run")).out())
          .contains("would compare " + TIMES);
      JobRun wrong = ended(coverage(store, "verify", snapshots(NAME + "-3")), ExitCode.BAD_INPUT);
      assertThat(wrong.out())
          .contains("wrong " + TIMES, "24 missing, 0 extra, 0 different", "removed " + TIMES);
      assertThat(wrong.err()).contains("1 windows were wrong and 1 were removed");
      assertThat(done(coverage(store, "list")).out()).doesNotContain("window");

      done(coverage(store, "add", report));
      assertThat(ended(coverage(store, "remove"), ExitCode.USAGE).err()).contains("or --all");
      String[] day = {"--from=2025-11-19", "--to=2025-11-19T01:00:00Z"};
      assertThat(done(coverage(store, "remove", args(day, "--dry-run"))).out())
          .contains("would remove " + HOUR);
      assertThat(done(coverage(store, "remove", args(day, "--writer=other"))).out())
          .contains("nothing to remove");
      assertThat(done(coverage(store, "remove", day)).out())
          .contains("removed " + HOUR, "The rollups may be removed from ");
      assertThat(done(coverage(store, "list")).out())
          .contains("window           1h, 2025-11-19T01:00:00Z to 2025-11-20T00:00:00Z");
      done(coverage(store, "remove", "--all"));
      assertThat(done(coverage(store, "list")).out()).doesNotContain("window");

      removeMasks(store);

      try (Admin admin = hbase.connection().getAdmin()) {
        admin.disableTable(TableName.valueOf(table));
        admin.truncateTable(TableName.valueOf(table), true);
      }
      assertThat(ended(coverage(store, "add", report), ExitCode.USAGE).err())
          .contains("must have the regions that its snapshot");
    }
  }

  /** Raw rows of three of four metrics are deleted below a floor, as by tiers. */
  @Test
  void aFloor() throws Exception {
    String name = "cov-floor";
    String table = name + "-coverage";
    String data = name + "-data";
    try (RollupStore store = RollupStore.start(name, "1h")) {
      SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("small")).coverage(table));
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.cloneSnapshot(SmallData.DATA_SNAPSHOT, TableName.valueOf(data));
      }
      Path config = TestFiles.directory(name).resolve("opentsdb.conf");
      Files.writeString(
          config,
          Files.readString(store.configFile(), ISO_8859_1).replace(SmallData.TABLE, data),
          ISO_8859_1);
      hbase.snapshot(data, name + "-all");
      Path directory = TestFiles.directory("hfile");
      JobRun ran = done(store.job(directory, SmallData.FROM, SmallData.TO).run());
      LoadRun load =
          LoadRun.of(LoadRun.runDirectory(directory), store.configFile(), "--no-coverage");
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
      hbase.snapshot(store.table("1h"), name + "-1");
      String[] before = snapshots(name + "-all", name + "-1");
      JobRun verified = verify(config, before);
      assertThat(done(verified).reportJson().at("/compared/belowFloor").intValue()).isZero();
      String report = "--evidence=" + verified.report();
      done(coverage(config, table, "add", report));

      assertThat(done(coverage(config, table, "upgrade", "--dry-run")).out())
          .startsWith("table " + table + " would have version 2, before 1");
      assertThat(done(coverage(config, table, "list")).out()).contains("version            1");
      assertThat(done(coverage(config, table, "upgrade")).out())
          .startsWith("table " + table + " has version 2, before 1");
      assertThat(done(coverage(config, table, "upgrade")).out())
          .startsWith("table " + table + " has version 2 already");
      CoverageFloor floor =
          new CoverageFloor(
              CoverageFloor.RAW, "tiers", SmallData.TO, "a.*", "a proof", SmallData.TO * 1000);
      try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
        coverage.raise(floor, System.currentTimeMillis());
      }
      String listed =
          "floor              raw, before 2025-11-20T00:00:00Z, metrics a.*, as of"
              + " 2025-11-20T00:00:00Z, writer tiers, evidence a proof";
      assertThat(done(coverage(config, table, "list", "--metric=a.a")).out())
          .contains("version            2", listed, "  window           " + TIMES);
      assertThat(done(coverage(config, table, "list", "--metric=b.a")).out())
          .contains("  window           " + TIMES)
          .doesNotContain("floor  ");
      for (String[] dry : new String[][] {{report}, {report, "--dry-run"}}) {
        assertThat(ended(coverage(config, table, "add", dry), ExitCode.USAGE).err())
            .contains("the window must not begin below the floor of its metrics, 2025-11-20");
      }

      String ofRun = "--evidence=" + ran.report();
      assertThat(done(coverage(store.configFile(), table, "add", ofRun)).out())
          .contains("all times of the run are below the floors of its metrics");

      deleteRaw(data);
      hbase.snapshot(data, name + "-gone");
      hbase.snapshot(store.table("1h"), name + "-2");
      String[] after = snapshots(name + "-gone", name + "-2");
      int gone = 3 * SmallData.SERIES_PER_METRIC * 24;
      int left = SmallData.SERIES_PER_METRIC * 24;
      JobRun unaware = ended(verify(config, after), ExitCode.BAD_INPUT);
      assertThat(unaware.reportJson().at("/compared/extra").intValue()).isEqualTo(gone);
      JobRun aware = done(verify(config, args(after, "--coverage-table=" + table)));
      assertThat(aware.reportJson().at("/compared/belowFloor").intValue()).isEqualTo(gone);
      assertThat(aware.reportJson().at("/compared/equal").intValue()).isEqualTo(left);
      assertThat(aware.reportJson().at("/compared/rollups").intValue()).isEqualTo(left);
      assertThat(
              ended(coverage(config, table, "add", "--evidence=" + aware.report()), ExitCode.USAGE)
                  .err())
          .contains("/gaps must be there and empty");
      assertThat(
              done(verify(config, args(args(after, "--metrics=a.*"), "--coverage-table=" + table)))
                  .reportJson()
                  .at("/compared/rollups")
                  .intValue())
          .isZero();
      assertThat(done(coverage(config, table, "verify", after)).out())
          .contains("proven " + TIMES, "; below the floor: " + gone + " rollups not compared");
      assertThat(done(coverage(config, table, "list")).out())
          .contains("  window           " + TIMES);

      spoil(store.table("1h"));
      hbase.snapshot(store.table("1h"), name + "-3");
      JobRun wrong =
          ended(
              coverage(config, table, "verify", snapshots(name + "-gone", name + "-3")),
              ExitCode.BAD_INPUT);
      assertThat(wrong.out())
          .contains(
              "24 missing, 0 extra, 0 different; below the floor: " + gone, "removed " + TIMES);
      assertThat(done(coverage(config, table, "list", "--metric=a.b")).out())
          .contains("  window           " + TIMES, ", metrics a.*, writer verify-")
          .contains("  proven           2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z");
      assertThat(done(coverage(config, table, "list", "--metric=b.a")).out())
          .doesNotContain("window");

      hbase.putCells(table, List.of(mask(SmallData.FROM)));
      assertThat(done(coverage(config, table, "remove", "--masks", "--all")).out())
          .startsWith("kept late, 2025-11-19T00:00:00Z to 2025-11-19T01:00:00Z, metric a.a");
      assertThat(done(coverage(config, table, "remove", "--all")).out())
          .contains("nothing to remove");
      assertThat(done(coverage(config, table, "list")).out())
          .contains("  window           " + TIMES);
      done(coverage(config, table, "remove", "--all", "--force"));
      done(coverage(config, table, "remove", "--masks", "--all", "--force"));
      assertThat(done(coverage(config, table, "list")).out())
          .contains(listed)
          .doesNotContain("window", "mask");
      levels(config, table, store.table("1h"));
    }
  }

  /** A window of p99, which the configuration of the TSD has no id for. */
  private void levels(Path config, String table, String rollups) throws Exception {
    String upgrade = "table " + table + " %s version 3, before 2";
    assertThat(done(coverage(config, table, "upgrade", "--levels", "--dry-run")).out())
        .startsWith(upgrade.formatted("would have"));
    assertThat(done(coverage(config, table, "upgrade", "--levels")).out())
        .startsWith(upgrade.formatted("has"));
    assertThat(done(coverage(config, table, "upgrade")).out())
        .startsWith("table " + table + " has version 3 already");
    long now = System.currentTimeMillis();
    CoverageWindow window =
        CoverageWindow.of(
            "1h.p99", SmallData.FROM, SmallData.TO, "test", rollups, now - 1000, "b.*", "a test");
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      coverage.add(List.of(window), Map.of(rollups, coverage.mark(rollups)), now);
    }
    Path known = config.resolveSibling("opentsdb-p99.conf");
    String ids = Files.readString(config, ISO_8859_1);
    Files.writeString(known, ids.replace("\"max\":4", "\"max\":4,\"p99\":7"), ISO_8859_1);
    String listed = TIMES.replace("1h,", "1h.p99,");
    String[] ofHours = {"--interval=1h", "--metric=b.a"};
    assertThat(done(coverage(known, table, "list", ofHours)).out())
        .contains(
            "version            3",
            "interval           1h.p99, table " + rollups,
            "  window           " + listed,
            "  proven           2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z")
        .doesNotContain("not counted");
    assertThat(done(coverage(config, table, "list", ofHours)).out())
        .contains("interval           1h.p99, not read by TSDs", "has no id for p99");
    assertThat(done(coverage(config, table, "remove", ofHours)).out())
        .contains("removed " + listed);
    assertThat(done(coverage(config, table, "list")).out())
        .contains("floor  ")
        .doesNotContain("window", "p99");
  }

  private static JobRun verify(Path config, String... options) {
    return new JobRun(TestFiles.directory(NAME))
        .with("verify", "--tsd-config=" + config)
        .with(options)
        .run();
  }

  /** Deletes the rows of the day of all metrics but the last one. */
  private void deleteRaw(String data) throws Exception {
    RowKey rowKey = new RowKey(StorageSchema.defaults());
    List<Delete> rows = new ArrayList<>();
    for (RawCell cell : hbase.cells(data)) {
      long base = rowKey.baseTime(cell.row(), 0);
      if (base >= SmallData.FROM
          && base < SmallData.TO
          && rowKey.metricUid(cell.row(), 0) < SmallData.METRICS.size()) {
        rows.add(new Delete(cell.row()));
      }
    }
    assertThat(rows).isNotEmpty();
    try (Table raw = hbase.connection().getTable(TableName.valueOf(data))) {
      raw.delete(rows);
    }
  }

  /** The raw points of this table stay for ever. */
  private void removeMasks(RollupStore store) throws Exception {
    String longer = CoverageRows.maskColumn(CoverageMask.Kind.LATE, SmallData.FROM + 7200);
    hbase.putCells(
        COVERAGE,
        List.of(
            mask(SmallData.FROM),
            mask(SmallData.FROM + SmallData.HOUR),
            mask(SmallData.FROM, "b.b", longer)));
    String[] firstHour = {"--masks", "--from=2025-11-19", "--to=2025-11-19T01:00:00Z"};
    String first = "late, 2025-11-19T00:00:00Z to 2025-11-19T01:00:00Z, metric a.a";
    assertThat(done(coverage(store, "remove", firstHour)).out())
        .contains("kept " + first, "raw points are not gone");
    assertThat(done(coverage(store, "remove", args(firstHour, "--force"))).out())
        .startsWith("removed " + first)
        .contains("kept late, 2025-11-19T00:00:00Z to 2025-11-19T02:00:00Z, metric b.b")
        .doesNotContain("T01:00:00Z to");
    assertThat(done(coverage(store, "list")).out())
        .contains("2025-11-19T01:00:00Z to 2025-11-19T02:00:00Z")
        .doesNotContain("2025-11-19T00:00:00Z to 2025-11-19T01:00:00Z");
    String[] other = {"--masks", "--metric=b.b", "--force"};
    assertThat(done(coverage(store, "remove", other)).out()).startsWith("removed late");
  }

  private static RawCell mask(long hour) {
    return mask(hour, "a.a", CoverageRows.maskColumn(CoverageMask.Kind.LATE));
  }

  private static RawCell mask(long hour, String metric, String column) {
    return new RawCell(
        CoverageRows.maskRow(hour, metric).getBytes(UTF_8),
        CoverageRows.FAMILY,
        column.getBytes(UTF_8),
        System.currentTimeMillis(),
        new byte[0]);
  }

  private static String[] args(String[] some, String more) {
    String[] all = Arrays.copyOf(some, some.length + 1);
    all[some.length] = more;
    return all;
  }

  /** Deletes all values of a rollup. */
  private void spoil(String table) throws Exception {
    List<RawCell> cells = hbase.cells(table);
    byte[] row = cells.get(cells.size() - 1).row();
    try (Table rollups = hbase.connection().getTable(TableName.valueOf(table))) {
      rollups.delete(new Delete(row));
    }
  }
}
