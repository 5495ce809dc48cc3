package io.tsdbsuite.rollup.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.rollup.RollupKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** What a load proves, what it does not, and what voids it. */
class CoverageIT {
  private static final long FROM = SmallData.FROM;
  private static final long TO = SmallData.TO;
  private static final long HOUR = 3_600_000;
  private static final String UIDS = "--uid-snapshot=" + SmallData.UID_SNAPSHOT;
  private static final TimeRanges WINDOW = TimeRanges.of(FROM * 1000, TO * 1000);
  private static final TimeRanges DAY_3 = TimeRanges.of(TO * 1000, SmallData.END * 1000);

  private final HBaseServer hbase = SharedStack.get().hbase();

  private static Path write(RollupStore store) throws IOException {
    Path directory = TestFiles.directory("hfile");
    JobRun run = store.job(directory, FROM, TO).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return LoadRun.runDirectory(directory);
  }

  private void create(String table) throws IOException {
    SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("small")).coverage(table));
  }

  private TimeRanges proven(RollupStore store, String table) throws IOException {
    return read(store, table).proven("1h", HOUR, "a.a");
  }

  private Coverage read(RollupStore store, String table) throws IOException {
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      String rollups = store.table("1h");
      Map<String, String> levels = new TreeMap<>(Map.of("1h", rollups, "1h.p99", rollups));
      levels.put("1h.first", rollups);
      levels.put("1h.histogram", histograms(store));
      return coverage.read(levels, System.currentTimeMillis());
    }
  }

  private static JsonNode load(RollupStore store, Path run, String... more) throws IOException {
    LoadRun load = LoadRun.of(run, store.configFile(), more);
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    return load.reportJson().get("coverage");
  }

  @Test
  void aLoadProvesItsWindowUntilTheTableIsAnotherOne() throws Exception {
    String table = "cov-one-coverage";
    try (RollupStore store = RollupStore.start("cov-one", "1h")) {
      Path first = write(store);
      String option = "--coverage-table=" + table;

      LoadRun missing = LoadRun.of(first, store.configFile(), option);
      assertThat(missing.exitCode()).as(missing::everything).isEqualTo(ExitCode.USAGE);
      assertThat(missing.err()).contains("table " + table + " does not exist");
      assertThat(hbase.cells(store.table("1h"))).as("nothing was loaded").isEmpty();

      assertThat(load(store, first).get("reason").textValue())
          .as("without the option it is no fault")
          .contains("table tsdb-coverage does not exist");
      create(table);
      assertThat(load(store, first, "--no-coverage").get("reason").textValue())
          .contains("not wanted");
      assertThat(proven(store, table).isEmpty()).isTrue();

      JsonNode written = load(store, first, option);
      assertThat(written.get("reason").textValue()).as("%s", written).isEmpty();
      assertThat(written.at("/windows/0/interval").textValue()).isEqualTo("1h");
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      assertThat(load(store, first, option).get("reason").textValue())
          .contains("an earlier load of the run has written its windows");
      truncate(table);
      load(store, first, option);
      assertThat(proven(store, table).isEmpty()).as("what was removed stays so").isTrue();

      // A snapshot of the table has the marker of its time.
      hbase.snapshot(store.table("1h"), "cov-one-before");
      Path second = write(store);
      written = load(store, second, option);
      assertThat(written.get("windows")).hasSize(1);
      assertThat(new ObjectMapper().readTree(second.resolve("_loaded").toFile()).get("coverage"))
          .as("the mark that nightly looks for comes last")
          .isEqualTo(written);
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      assertThat(read(store, table).windows()).as("the truncated table had none").hasSize(1);
      TableName rollups = TableName.valueOf(store.table("1h"));
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.disableTable(rollups);
        admin.restoreSnapshot("cov-one-before");
        admin.enableTable(rollups);
        assertThat(proven(store, table).isEmpty()).as("restored").isTrue();
        admin.disableTable(rollups);
        admin.truncateTable(rollups, true);
      }
      assertThat(proven(store, table).isEmpty()).as("truncated").isTrue();
      Files.delete(second.resolve("_covered"));
      assertThat(load(store, second, option).get("reason").textValue())
          .contains("must have the cells of the run", "found 0", "roll up the window again");
      assertThat(proven(store, table).isEmpty()).isTrue();

      Path third = write(store);
      assertThat(load(store, third, option).get("windows")).hasSize(1);
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      assertThat(read(store, table).windows()).as("the void ones went").hasSize(1);
      requireMark(store, table);
    }
  }

  private void truncate(String table) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.truncateTable(TableName.valueOf(table), true);
    }
  }

  /** A table that is truncated after somebody has looked for its rollups. */
  private void requireMark(RollupStore store, String table) throws Exception {
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      CoverageWindow window = read(store, table).windows().get(0);
      Map<String, String> marks = Map.of(window.table(), coverage.mark(window.table()));
      coverage.add(List.of(window), marks, System.currentTimeMillis());
      truncate(store.table("1h"));
      coverage.mark(window.table());
      assertThatThrownBy(() -> coverage.add(List.of(window), marks, System.currentTimeMillis()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("must have the marker of this load");
      assertThat(proven(store, table).isEmpty()).isTrue();
    }
  }

  @Test
  void whatIsNotOfTheRunIsNotProven() throws Exception {
    String table = "cov-other-coverage";
    try (RollupStore store = RollupStore.start("cov-other", "1h")) {
      create(table);
      Path first = write(store);
      load(store, first, "--no-coverage");
      try (Table rollups = hbase.connection().getTable(TableName.valueOf(store.table("1h")))) {
        rollups.delete(new Delete(row(rollups, 1)));
        // As by a run with --as-of now over an older snapshot.
        rollups.put(put(row(rollups, 2), System.currentTimeMillis(), 5));
        // As of an earlier run; the raw points of the series are gone.
        byte[] gone = row(rollups, 3);
        gone[gone.length - 1] = 99;
        rollups.put(put(gone, FROM * 1000 + 2 * HOUR, 1));
        // As by a repair: the rollups that raw points make, with a later timestamp.
        repair(rollups, 4);
      }
      Path second = write(store);
      JsonNode written = load(store, second, "--coverage-table=" + table);
      assertThat(written.get("reason").textValue()).isEmpty();
      assertThat(written.at("/windows/0/metrics").textValue()).isEqualTo("*,!a.a,!a.b,!a.c");
      Coverage coverage = read(store, table);
      assertThat(coverage.proven("1h", HOUR, "b.a")).isEqualTo(WINDOW);
      assertThat(coverage.proven("1h", HOUR, "a.a").isEmpty()).as("a deleted row").isTrue();
    }
  }

  @Test
  void aRunWithGapsRemovesWindowsAndOneOfAnotherTableProvesNone() throws Exception {
    String table = "cov-gap-coverage";
    String option = "--coverage-table=" + table;
    try (RollupStore store = RollupStore.start("cov-gap", "1h")) {
      create(table);
      Path first = write(store);
      assertThat(load(store, first, option).get("windows")).hasSize(1);
      Path second = write(store);
      edit(second, "\"gaps\" : [ ]", "\"gaps\" : [ \"1 rows failed\" ]");
      assertThat(load(store, second, option, "--coverage-pause=0s").get("reason").textValue())
          .contains("1 rows failed");
      assertThat(proven(store, table).isEmpty()).isTrue();

      Path third = write(store);
      edit(third, SmallData.DATA_SNAPSHOT, "of-another-cluster");
      assertThat(load(store, third, option).get("reason").textValue())
          .contains("snapshot of-another-cluster of table small-data", "a copy that lacks points");
      assertThat(load(store, third, option, "--coverage-source-checked").get("windows")).hasSize(1);
      assertThat(proven(store, table)).isEqualTo(WINDOW);
      TableName name = TableName.valueOf(table);
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.modifyColumnFamily(
            name,
            ColumnFamilyDescriptorBuilder.newBuilder(
                    admin.getDescriptor(name).getColumnFamilies()[0])
                .setScope(1)
                .build());
      }
      LoadRun replicated = LoadRun.of(write(store), store.configFile(), option);
      assertThat(replicated.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(replicated.err()).contains("REPLICATION_SCOPE => '1'");
    }
  }

  /**
   * A late point masks an hour. The next night rolls it up, but proves nothing. The night after it
   * refreshes the coverage since the first one, so the mask is void.
   */
  @Test
  void theRefreshOfALostNightIsMadeUpFor() throws Exception {
    String table = "cov-late-coverage";
    String data = "cov-late-data";
    long hour = SmallData.START + 5 * SmallData.HOUR;
    RollupKey late = new RollupKey("a.a", new TreeMap<>(Map.of("host", "h7", "dc", "dc1")), hour);
    try (RollupStore store = RollupStore.start("cov-late", "1h")) {
      create(table);
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.cloneSnapshot(SmallData.DATA_SNAPSHOT, TableName.valueOf(data));
      }
      JobRun first = night(store, data, 1);
      String coverage = "--coverage-table=" + table;
      assertThat(loadNight(store, first, data, coverage).get("windows")).hasSize(1);
      assertThat(proven(store, table).contains(hour * 1000, hour * 1000 + HOUR)).isTrue();

      putHalfPast(data, late, Long.MAX_VALUE, 1e6);
      JobRun second = night(store, data, 2, "--since-report=" + first.report());
      loadNight(store, second, data, "--no-coverage");
      long odd = TO + 3 * SmallData.HOUR;
      putHalfPast(data, new RollupKey("a.b", late.tags(), odd), Long.MAX_VALUE, Double.NaN);
      JobRun third =
          night(
              store,
              data,
              3,
              "--since-report=" + second.report(),
              "--refresh-report=" + first.report());
      assertThat(third.reportJson().at("/input/changedRows").asText()).isEqualTo("1");
      mask(table, hour, third);
      assertThat(proven(store, table).contains(hour * 1000, hour * 1000 + HOUR)).isFalse();

      JsonNode windows = loadNight(store, third, data, coverage).get("windows");
      assertThat(windows.findValuesAsText("changesSince"))
          .as("since the second night, and since the first")
          .hasSize(2);
      for (JsonNode window : windows) {
        if (window.has("changesSince")) {
          assertThat(window.get("metrics").textValue()).isEqualTo("*");
        }
      }
      Coverage after = read(store, table);
      assertThat(after.masks()).hasSize(1);
      assertThat(after.proven("1h", HOUR, "a.a"))
          .isEqualTo(TimeRanges.of(SmallData.START * 1000, FROM * 1000).plus(DAY_3));
      assertThat(after.proven("1h", HOUR, "a.b"))
          .as("NaN costs its hour alone")
          .isEqualTo(
              TimeRanges.of(SmallData.START * 1000, FROM * 1000)
                  .plus(DAY_3)
                  .minus(TimeRanges.of(odd * 1000, odd * 1000 + HOUR)));
      assertThat(store.answers("1h", hour, hour + SmallData.HOUR).get(late).max()).isEqualTo(1e6);

      RollupKey older = new RollupKey("a.a", late.tags(), hour + SmallData.HOUR);
      putHalfPast(data, older, hour * 1000, 1);
      JobRun fourth = night(store, data, 4, "--since-report=" + third.report(), "--allow-empty");
      assertThat(fourth.reportJson().at("/proof/refreshes").toString())
          .as("a new file has a put from before the search began")
          .isEqualTo("[]");
    }
  }

  /** Puts a point and, as a TSD's compaction does, deletes a column. */
  private void putHalfPast(String data, RollupKey hour, long stamp, double value)
      throws IOException {
    byte[] row = SmallData.get().row(hour);
    byte[] column = HexFormat.of().parseHex("708f");
    byte[] cell = ByteBuffer.allocate(8).putDouble(0, value).array();
    hbase.putCells(data, List.of(new RawCell(row, "t", column, stamp, cell)));
    hbase.deleteCell(data, row, "t", HexFormat.of().parseHex("7090"));
  }

  /** Rolls up a day of a data table, the first one is 1, from a new snapshot. */
  private JobRun night(RollupStore store, String data, int day, String... more) throws IOException {
    String snapshot = data + "-" + day;
    hbase.snapshot(data, snapshot);
    long from = SmallData.START + (day - 1) * SmallData.DAY;
    Path directory = TestFiles.directory("hfile");
    JobRun run =
        store
            .job(snapshot, directory, from, from + SmallData.DAY)
            .with("--tsd.storage.hbase.data_table=" + data)
            .with(more)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return run;
  }

  private static JsonNode loadNight(RollupStore store, JobRun night, String data, String coverage)
      throws IOException {
    Path run = LoadRun.runDirectory(night.report().getParent());
    return load(store, run, coverage, "--tsd.storage.hbase.data_table=" + data);
  }

  /** Masks an hour of all series of a.a, so that the snapshot of a run alone is newer. */
  private void mask(String table, long hour, JobRun run) throws IOException {
    Instant taken = Instant.parse(run.reportJson().at("/input/dataSnapshotTime").textValue());
    byte[] row = CoverageRows.maskRow(hour, "a.a").getBytes(UTF_8);
    try (Table coverage = hbase.connection().getTable(TableName.valueOf(table))) {
      coverage.put(
          new Put(row, taken.toEpochMilli() - 60_001)
              .addColumn(new byte[] {'c'}, "late/*".getBytes(UTF_8), new byte[0]));
    }
  }

  /** Windows of levels are of the metrics that have them in the run that came last. */
  @Test
  void furtherAggregatorsHaveWindowsUntilARunLacksThem() throws Exception {
    String table = "cov-suite-coverage";
    String option = "--coverage-table=" + table;
    try (RollupStore store = RollupStore.start("cov-suite", "1h")) {
      create(table);
      SharedStack.get()
          .create(OpenTsdbTables.of(CorrectnessIT.conf("small")).rollup(histograms(store)));
      String both = suite(store, "a.*", "p99,first");
      JobRun first = suiteNight(store, 1, UIDS, both, CODECS);
      JsonNode written =
          load(store, LoadRun.runDirectory(first.report().getParent()), option, both, CODECS);
      assertThat(written.get("windows").findValuesAsText("interval")).containsExactly("1h");
      assertThat(written.at("/notes/0").textValue())
          .contains(
              "table " + table + " has a version without levels", "coverage upgrade --levels");

      try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
        coverage.upgrade(CoverageRows.LEVEL_VERSION);
      }
      JobRun second = suiteNight(store, 2, UIDS, both, CODECS);
      load(store, LoadRun.runDirectory(second.report().getParent()), "--no-coverage", both, CODECS);
      try (Table rollups = hbase.connection().getTable(TableName.valueOf(store.table("1h")))) {
        byte[] p99 = RollupCell.doubleQualifier(5, 3);
        long now = System.currentTimeMillis();
        rollups.put(
            new Put(row(rollups, 2), now)
                .addColumn(new byte[] {'t'}, p99, RollupCell.doubleValue(-1)));
        requireSketches(store, List.of(1, 2, 3));
        putHistogram(store, 1, now);
        // As by a repair: the rollups that raw points make, with a later timestamp.
        repair(rollups, 3);
      }
      assertThat(add(store, second, option, both, CODECS))
          .contains("added 1h, ", "added 1h.p99, ", "added 1h.first, ", "added 1h.histogram, ");
      TimeRanges wrong = TimeRanges.of(FROM * 1000 + 3 * HOUR, FROM * 1000 + 4 * HOUR);
      Coverage coverage = read(store, table);
      for (String level : List.of("1h", "1h.p99", "1h.first", "1h.histogram")) {
        assertThat(coverage.proven(level, HOUR, "a.a"))
            .as(level)
            .isEqualTo(
                level.equals("1h.histogram")
                    ? WINDOW.minus(TimeRanges.of(FROM * 1000, FROM * 1000 + HOUR))
                    : WINDOW);
        assertThat(coverage.proven(level, HOUR, "a.b"))
            .as(level)
            .isEqualTo(level.equals("1h.p99") ? WINDOW.minus(wrong) : WINDOW);
        assertThat(coverage.proven(level, HOUR, "a.c")).as("repaired").isEqualTo(WINDOW);
        assertThat(coverage.proven(level, HOUR, "b.a"))
            .as(level)
            .isEqualTo(level.equals("1h") ? WINDOW : TimeRanges.none());
      }

      hbase.snapshot(store.table("1h"), "cov-suite-stored");
      hbase.snapshot(histograms(store), "cov-suite-histograms");
      JobRun verified =
          new JobRun(TestFiles.directory("verify"))
              .with("coverage", "verify", "--tsd-config=" + store.configFile(), both, CODECS)
              .with("--snapshot-root=" + hbase.rootDir(), "--data-snapshot=cov-suite-2", UIDS)
              .with("--against-snapshot=cov-suite-stored,cov-suite-histograms", option)
              .with(SmallData.window(FROM, TO))
              .run();
      assertThat(verified.exitCode()).as(verified::everything).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(verified.out())
          .contains("proven 1h, ", "; histograms are wrong: 1")
          .contains("wrong 1h.histogram, ", ": 1 missing, extra or different", "wrong 1h.p99, ");
      coverage = read(store, table);
      assertThat(coverage.proven("1h.histogram", HOUR, "a.b").isEmpty()).isTrue();
      assertThat(coverage.proven("1h.first", HOUR, "a.b")).isEqualTo(WINDOW);
      assertThat(coverage.proven("1h", HOUR, "a.b")).isEqualTo(WINDOW);

      String one = suite(store, "a.a,a.b", "p99");
      Path third =
          LoadRun.runDirectory(suiteNight(store, 3, UIDS, one, CODECS).report().getParent());
      LoadRun refused = LoadRun.of(third, store.configFile(), option, both, CODECS);
      assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("suite must be as it was in the run, ", "p99,first");
      load(store, third, option, one, CODECS, "--coverage-pause=0s");
      coverage = read(store, table);
      assertThat(coverage.proven("1h.p99", HOUR, "a.b")).isEqualTo(WINDOW);
      assertThat(coverage.proven("1h.p99", HOUR, "a.c").isEmpty()).isTrue();
      assertThat(coverage.proven("1h.first", HOUR, "a.a").isEmpty()).isTrue();
      assertThat(coverage.proven("1h.histogram", HOUR, "a.a")).isEqualTo(WINDOW);
      assertThat(coverage.proven("1h.histogram", HOUR, "a.c").isEmpty()).isTrue();
      assertThat(coverage.proven("1h", HOUR, "a.c")).isEqualTo(WINDOW);

      JobRun fourth = suiteNight(store, 4);
      load(store, LoadRun.runDirectory(fourth.report().getParent()), "--no-coverage");
      assertThat(read(store, table).proven("1h.p99", HOUR, "a.b"))
          .as("the load does not know the table")
          .isEqualTo(WINDOW);
      assertThat(add(store, fourth, option))
          .contains("added 1h, ")
          .doesNotContain("1h.p99", "1h.hist");
      coverage = read(store, table);
      assertThat(coverage.proven("1h.histogram", HOUR, "a.b").isEmpty()).isTrue();
      assertThat(coverage.proven("1h.p99", HOUR, "a.b").isEmpty()).isTrue();
      assertThat(coverage.proven("1h", HOUR, "a.b")).isEqualTo(WINDOW);
    }
  }

  private static final String CODECS =
      "--tsd.core.histograms.config={\"" + HistogramCodecs.SKETCH + "\":43}";

  private static String histograms(RollupStore store) {
    return store.name().replace(':', '-') + "-histograms";
  }

  /** The first hour of a series of a metric has another histogram. */
  private void putHistogram(RollupStore store, int metric, long stamp) throws IOException {
    try (Table table = hbase.connection().getTable(TableName.valueOf(histograms(store)))) {
      table.put(
          new Put(row(table, metric), stamp)
              .addColumn(new byte[] {'t'}, HistogramColumn.of(0), sketch(new PointBuffer())));
    }
  }

  private static byte[] sketch(PointBuffer points) {
    Sketch sketch = new Sketch();
    sketch.addAll(points.doubles(), 0, points.size());
    return ByteBuffer.allocate(1 + sketch.bytes().length)
        .put((byte) 43)
        .put(sketch.bytes())
        .array();
  }

  /** Each raw row of the window has a row of the same key with the sketch of its points. */
  private void requireSketches(RollupStore store, List<Integer> metrics) throws Exception {
    RowKey keys = new RowKey(StorageSchema.defaults());
    RowMerger merger = new RowMerger(StorageSchema.defaults());
    int rows = 0;
    try (Table raw = hbase.connection().getTable(TableName.valueOf(SmallData.TABLE));
        Table histograms = hbase.connection().getTable(TableName.valueOf(histograms(store)));
        // After the row of the marker.
        ResultScanner found =
            histograms.getScanner(new Scan().withStartRow(new byte[] {0, 0, 1}))) {
      for (Result row : found) {
        byte[] key = row.getRow();
        assertThat(keys.baseTime(key, 0)).isBetween(FROM, TO - 1);
        assertThat((int) keys.metricUid(key, 0)).isIn(metrics);
        merger.reset();
        for (Cell cell : raw.get(new Get(key)).rawCells()) {
          byte[] column = CellUtil.cloneQualifier(cell);
          byte[] value = CellUtil.cloneValue(cell);
          merger.add(column, 0, column.length, value, 0, value.length, cell.getTimestamp());
        }
        assertThat(row.size()).isEqualTo(1);
        assertThat(row.getValue(new byte[] {'t'}, HistogramColumn.of(0)))
            .isEqualTo(sketch(merger.merge()));
        rows++;
      }
    }
    assertThat(rows).isEqualTo(metrics.size() * SmallData.SERIES_PER_METRIC * 24);
  }

  /** The option of a configuration in which metrics have further aggregators. */
  private static String suite(RollupStore store, String metrics, String aggregators)
      throws IOException {
    String ids = RollupStore.IDS.replace("}", ",'p99':5,'first':7}");
    String config = RollupStore.config(SmallData.TABLE, store.name(), ids, List.of("1h"));
    String suite =
        """
        ,"suite":{"values":[{"metrics":"%s","intervals":"1h","aggregators":"%s"}],
        "histograms":[{"metrics":"%s","intervals":"1h"}],"histogramTables":{"1h":"%s"}}}
        """
            .formatted(metrics, aggregators, metrics, histograms(store));
    Path file = TestFiles.directory("suite").resolve("rollup_config.json");
    Files.writeString(file, config.substring(0, config.length() - 1) + suite);
    return "--rollup-config=" + file;
  }

  /** Rolls up the window from a new snapshot. */
  private JobRun suiteNight(RollupStore store, int night, String... config) throws IOException {
    String snapshot = "cov-suite-" + night;
    hbase.snapshot(SmallData.TABLE, snapshot);
    Path directory = TestFiles.directory("hfile");
    JobRun run = store.job(snapshot, directory, FROM, TO).with(config).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return run;
  }

  private static String add(RollupStore store, JobRun run, String... more) {
    JobRun added =
        new JobRun(TestFiles.directory("add"))
            .with("coverage", "add", "--tsd-config=" + store.configFile())
            .with("--evidence=" + run.report())
            .with(more)
            .run();
    assertThat(added.exitCode()).as(added::everything).isEqualTo(ExitCode.DONE);
    return added.out();
  }

  /** Writes a row of a metric again. */
  private static void repair(Table rollups, int metric) throws IOException {
    Put repaired = new Put(row(rollups, metric), System.currentTimeMillis());
    for (Cell cell : rollups.get(new Get(repaired.getRow())).rawCells()) {
      repaired.addColumn(
          CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
    }
    rollups.put(repaired);
  }

  private static void edit(Path run, String text, String other) throws IOException {
    Path manifest = run.resolve("manifest.json");
    String json = Files.readString(manifest);
    assertThat(json).contains(text);
    Files.writeString(manifest, json.replace(text, other));
    Files.deleteIfExists(run.resolve(".manifest.json.crc"));
  }

  /** The first row of a metric. */
  private static byte[] row(Table rollups, int metric) throws IOException {
    Scan scan = new Scan().withStartRow(new byte[] {0, 0, (byte) metric}).setLimit(1);
    try (ResultScanner rows = rollups.getScanner(scan)) {
      return rows.next().getRow();
    }
  }

  private static Put put(byte[] row, long stamp, int hour) {
    byte[] sum = RollupCell.doubleQualifier(0, hour);
    return new Put(row, stamp).addColumn(new byte[] {'t'}, sum, RollupCell.doubleValue(1));
  }
}
