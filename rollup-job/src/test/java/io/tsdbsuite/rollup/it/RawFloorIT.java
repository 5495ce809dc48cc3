package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The raw rows of a metric's first day were deleted by bulk-loaded markers, below a floor; late
 * points have come below the floor, above it, and for a metric without one.
 */
class RawFloorIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = SmallData.START;
  private static final long FLOOR = START + DAY;
  private static final long NOW = START + 3 * DAY;
  private static final int HOSTS = 2;
  private static final String APP = "floor.app";
  private static final String WEB = "floor.web";
  private static final String TABLES = "floor";
  private static final String DATA = TABLES + "-data";
  private static final String COVERAGE = TABLES + "-coverage";
  private static final byte[] FAMILY = {'t'};

  private static final RollupKey BELOW = key(APP, 0, START + 5 * HOUR);
  private static final RollupKey ABOVE = key(APP, 1, FLOOR + 3 * HOUR);
  private static final RollupKey OTHER = key(WEB, 0, START + 7 * HOUR);

  /** The deleted rows in the loaded file, and the one with a late point in another. */
  private static final int ROWS_BELOW = HOSTS * 24 + 1;

  private static SortedMap<RollupKey, RollupValues> answers;
  private static Path configFile;
  private static Path rollupConfig;
  private static Path firstReport;

  /** The HFiles of a run over the first day that has known no floor. */
  private static Path unaware;

  private static RollupKey key(String metric, int host, long time) {
    return new RollupKey(metric, new TreeMap<>(Map.of("host", "h" + host)), time);
  }

  @BeforeAll
  static void makeData() throws Exception {
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    Map<String, String> conf = CorrectnessIT.conf(TABLES);
    stack.create(OpenTsdbTables.of(conf).coverage(COVERAGE));
    TsdServer tsd = stack.startTsd("floor", conf);
    configFile = tsd.configFile();
    rollupConfig = TestFiles.directory("floor").resolve("rollups.json");
    Files.writeString(
        rollupConfig,
        RollupStore.config(DATA, TABLES + "-r", RollupStore.IDS, List.of("1h", "1d")));
    try (Admin admin = hbase.connection().getAdmin()) {
      for (String interval : List.of("1h", "1d")) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(TABLES + "-r-" + interval))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                .build());
      }
    }
    List<DataPoint> points = new ArrayList<>();
    for (String metric : List.of(APP, WEB)) {
      for (long time = START; time < NOW; time += HOUR) {
        for (int host = 0; host < HOSTS; host++) {
          points.add(new DataPoint(metric, time + host, host + 0.5, Map.of("host", "h" + host)));
        }
      }
    }
    tsd.client().put(points, 5000);
    hbase.snapshot(DATA, "floor-data-1");
    hbase.snapshot(TABLES + "-uid", "floor-uids");
    JobRun first = run("floor-data-1", "--from=" + (NOW - DAY), "--to=" + NOW);
    assertThat(first.exitCode()).as(first::everything).isEqualTo(ExitCode.DONE);
    firstReport = first.report();
    unaware = hfiles("floor-data-1");

    try (CoverageTable coverage = new CoverageTable(hbase.connection(), COVERAGE)) {
      assertThat(coverage.upgrade()).isTrue();
      coverage.raise(
          new CoverageFloor(
              CoverageFloor.RAW, "app", FLOOR, APP, "a proof", System.currentTimeMillis()),
          System.currentTimeMillis());
    }
    String taken = first.reportJson().at("/input/dataSnapshotTime").asText();
    deleteBelow(hbase, Instant.parse(taken).toEpochMilli());
    points.clear();
    for (RollupKey late : List.of(BELOW, ABOVE, OTHER)) {
      points.add(new DataPoint(late.metric(), late.timestamp() + 1800, 1000L, late.tags()));
    }
    tsd.client().put(points, 5000);
    hbase.snapshot(DATA, "floor-data-2");
    TsdOracle oracle = new TsdOracle(tsd.client());
    answers = oracle.rollups(APP, START, NOW, "1h");
    answers.putAll(oracle.rollups(WEB, START, NOW, "1h"));
    tsd.stop();
    assertThat(answers.get(BELOW).count()).as("what is left is the late point").isEqualTo(1);
    assertThat(answers.get(ABOVE).count()).isEqualTo(2);
  }

  /** As rollup-job tiers does, with the time of the snapshot. */
  private static void deleteBelow(HBaseServer hbase, long time) throws Exception {
    List<byte[]> rows = new ArrayList<>();
    for (RawCell cell : hbase.cells(DATA)) {
      long base = ByteBuffer.wrap(cell.row()).getInt(3) & 0xffffffffL;
      if (cell.row()[2] == 1 && base < FLOOR) {
        rows.add(cell.row());
      }
    }
    assertThat(rows).hasSize(HOSTS * 24);
    TableName table = TableName.valueOf(DATA);
    Configuration conf = hbase.clientConfiguration();
    String dir = TestFiles.directory("floor-markers").toUri().toString();
    try (HFileDir files = new HFileDir(conf, dir, RowKey.FAMILY, "floor");
        RegionHFiles hfiles =
            new RegionHFiles(
                files,
                "w",
                TableLayout.read(hbase.connection(), table, FAMILY),
                Long.MAX_VALUE,
                InstantSource.system())) {
      for (byte[] row : rows) {
        hfiles.append(List.of(new KeyValue(row, FAMILY, null, time, KeyValue.Type.DeleteFamily)));
      }
      hfiles.end();
      assertThat(new HFileLoader(conf, table, FAMILY).load(files).cells()).isEqualTo(HOSTS * 24);
    }
    assertThat(hbase.cells(DATA)).hasSize(HOSTS * 24 * (2 + 3));
  }

  private static JobRun job(String snapshot, String... more) {
    return new JobRun(TestFiles.directory("floor"))
        .with(
            "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
            "--data-snapshot=" + snapshot,
            "--tsd-config=" + configFile,
            "--rollup-config=" + rollupConfig)
        .with(more);
  }

  private static JobRun run(String snapshot, String... more) {
    return job(snapshot, more).json().with("--uid-snapshot=floor-uids").run();
  }

  /** A run over the first day. */
  private static Path hfiles(String snapshot, String... more) throws Exception {
    Path directory = TestFiles.directory("floor");
    JobRun run =
        job(snapshot, "--from=" + START, "--to=" + FLOOR)
            .with("--interval=1h,1d", "--sink=hfile")
            .with("--hfile-dir=" + directory.resolve("hfiles").toUri())
            .with(more)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return LoadRun.runDirectory(directory);
  }

  private static SortedMap<RollupKey, RollupValues> answers(Predicate<RollupKey> wanted) {
    SortedMap<RollupKey, RollupValues> some = new TreeMap<>(answers);
    some.keySet().removeIf(wanted.negate());
    return some;
  }

  private static List<RollupKey> takenBack(JobRun run) throws Exception {
    RollupMessages messages = new RollupMessages();
    run.lines().forEach(line -> messages.add(line.getBytes(StandardCharsets.UTF_8)));
    return messages.takenBack().stream().sorted().toList();
  }

  @Test
  void changedRowsBelowTheFloorAreNeitherRolledUpNorTakenBack() throws Exception {
    JobRun run =
        run(
            "floor-data-2",
            "--to=" + NOW,
            "--since-report=" + firstReport,
            "--changed-margin=0s",
            "--coverage-table=" + COVERAGE);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(takenBack(run)).isEmpty();
    assertThat(RollupDiff.of(answers(Set.of(ABOVE, OTHER)::contains), run.rollups())).isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/skipped/belowFloor").intValue()).isEqualTo(ROWS_BELOW);
    assertThat(report.at("/rows/vanished").intValue()).isZero();
    assertThat(report.at("/rows/takenBack").intValue()).isZero();
    assertThat(report.at("/input/changedRowsBelowFloor").asText())
        .isEqualTo(Integer.toString(ROWS_BELOW));
    assertThat(report.at("/input/coverageTable").asText()).isEqualTo(COVERAGE);
    String floor = Instant.ofEpochSecond(FLOOR).toString();
    assertThat(report.at("/input/rawFloors").asText()).isEqualTo(APP + " before " + floor);
    assertThat(report.at("/proof/floors/0/before").asText()).isEqualTo(floor);
    assertThat(report.at("/proof/first").asText())
        .isEqualTo(Instant.ofEpochSecond(OTHER.timestamp()).toString());
  }

  @Test
  void norAreTheirDays() throws Exception {
    JobRun run =
        run(
            "floor-data-2",
            "--to=" + NOW,
            "--changed-since=" + (System.currentTimeMillis() / 1000 - DAY),
            "--interval=1h,1d",
            "--coverage-table=" + COVERAGE);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(takenBack(run)).isEmpty();
    assertThat(RollupDiff.of(answers(RawFloorIT::isLeft), run.rollups("1h"))).isEmpty();
    assertThat(run.rollups("1d")).hasSize(HOSTS * (2 + 3));
  }

  /** Whether a rollup may be made of raw data. */
  private static boolean isLeft(RollupKey key) {
    return key.metric().equals(WEB) || key.timestamp() >= FLOOR;
  }

  /** They would be taken back. */
  @Test
  void withoutFloorsMarkersInALoadedFileEndTheRun() throws Exception {
    for (String more : List.of("--changed-margin=0s", "--allow-lost")) {
      JobRun run = run("floor-data-2", "--to=" + NOW, "--since-report=" + firstReport, more);
      assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
      assertThat(run.err())
          .contains("has delete markers in an HFile that was bulk loaded")
          .contains("give --coverage-table");
      assertThat(Files.exists(run.output().resolve("_SUCCESS"))).isFalse();
    }
  }

  @Test
  void aWindowLeavesOutWhatIsLeftBelowTheFloor() throws Exception {
    String[] window = {"--from=" + START, "--to=" + (FLOOR + DAY), "--allow-expired"};
    JobRun run = run("floor-data-2", window);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.rollups()).as("what the floor prevents").containsKey(BELOW);
    run =
        job("floor-data-2", window)
            .json()
            .with("--uid-snapshot=floor-uids")
            .with("--coverage-table=" + COVERAGE)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(
            RollupDiff.of(
                answers(key -> isLeft(key) && key.timestamp() < FLOOR + DAY), run.rollups()))
        .isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/skipped/belowFloor").intValue()).isEqualTo(1);
    assertThat(report.get("warnings").toString()).contains("begins below floors of raw data");
  }

  @Test
  void aLoadRefusesRollupsBelowTheFloor() throws Exception {
    HBaseServer hbase = SharedStack.get().hbase();
    String[] more = {"--coverage-table=" + COVERAGE, "--rollup-config=" + rollupConfig};
    LoadRun refused = LoadRun.of(unaware, configFile, more);
    assertThat(refused.exitCode()).as(refused::everything).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains("rollups of metrics " + APP + " from " + Instant.ofEpochSecond(START))
        .contains("before " + Instant.ofEpochSecond(FLOOR) + " may be gone");
    assertThat(hbase.cells(TABLES + "-r-1h")).as("nothing was loaded").isEmpty();

    // Needs the names of metrics, which HFiles do not.
    Path aware = hfiles("floor-data-2", "--coverage-table=" + COVERAGE);
    putNewerWindow();
    LoadRun load =
        LoadRun.of(
            aware,
            configFile,
            "--coverage-table=" + COVERAGE,
            "--rollup-config=" + rollupConfig,
            "--coverage-pause=0s");
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), COVERAGE)) {
      assertThat(coverage.windows())
          .singleElement()
          .satisfies(
              window -> {
                assertThat(window.metrics()).as("the run has none of these").isEqualTo(APP);
                assertThat(window.from()).isEqualTo(START);
                assertThat(window.to()).isEqualTo(FLOOR);
              });
    }
    JsonNode report = load.reportJson();
    assertThat(report.at("/coverage/windows")).as("%s", report).isEmpty();
    assertThat(hbase.cells(TABLES + "-r-1h"))
        .filteredOn(cell -> cell.row().length > 10 && cell.row()[2] > 0)
        .hasSize(HOSTS * 24 * 4)
        .allMatch(cell -> cell.row()[2] == 2);
  }

  /** A window of all metrics below the floor, which an older run makes wrong above it. */
  private static void putNewerWindow() throws Exception {
    String rollups = TABLES + "-r-1h";
    CoverageWindow window =
        CoverageWindow.of(
            "1h", START, FLOOR, "w", rollups, System.currentTimeMillis(), "*", "a report");
    Put put = new Put(CoverageRows.windowRow("1h", START, "w").getBytes(StandardCharsets.UTF_8));
    CoverageRows.columns(window)
        .forEach(
            (column, value) ->
                put.addColumn(
                    CoverageRows.FAMILY.getBytes(StandardCharsets.UTF_8),
                    column.getBytes(StandardCharsets.UTF_8),
                    value.getBytes(StandardCharsets.UTF_8)));
    Connection connection = SharedStack.get().hbase().connection();
    try (CoverageTable coverage = new CoverageTable(connection, COVERAGE);
        Table table = connection.getTable(TableName.valueOf(COVERAGE))) {
      String unused = coverage.mark(rollups);
      table.put(put);
    }
  }

  @Test
  void withoutTheFloorsNothingIsDone() {
    String window = "--from=" + START;
    JobRun missing = run("floor-data-2", window, "--to=" + NOW, "--coverage-table=floor-none");
    assertThat(missing.exitCode()).as(missing::everything).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("--coverage-table: table floor-none does not exist");
    JobRun silent =
        run(
            "floor-data-2",
            window,
            "--to=" + NOW,
            "--coverage-table=" + COVERAGE,
            "--hbase-property=hbase.zookeeper.quorum=127.0.0.1:1");
    assertThat(silent.exitCode()).as(silent::everything).isEqualTo(ExitCode.OUTSIDE);
    assertThat(Files.exists(silent.output().resolve("_SUCCESS"))).isFalse();
  }
}
