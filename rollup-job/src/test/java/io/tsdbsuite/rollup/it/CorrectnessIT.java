package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TelnetClient;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The job's output against the answers of a real TSD over the same tables, for every way in which a
 * TSD stores points.
 */
class CorrectnessIT {
  private static final long FROM = CorrectnessData.FROM;
  private static final long TO = CorrectnessData.TO;

  /**
   * The tables with the widest row keys and with compacted rows: all intervals, HFiles and verify
   * read them in every build, and the others in {@code make test-all}.
   */
  private static final Set<String> EVERY_INTERVAL = Set.of("salted-data", "compact-data");

  private static final Duration LONG = Duration.ofSeconds(60);

  private final Stack stack = SharedStack.get();
  private final HBaseServer hbase = stack.hbase();

  /** A TSD configuration with tables of its own. */
  static Map<String, String> conf(String tables, String... more) {
    Map<String, String> conf = new HashMap<>();
    for (String table : List.of("data", "uid", "tree", "meta")) {
      conf.put("tsd.storage.hbase." + table + "_table", tables + "-" + table);
    }
    for (int i = 0; i < more.length; i += 2) {
      conf.put(more[i], more[i + 1]);
    }
    return conf;
  }

  @Test
  void defaultSchema() throws Exception {
    writeAndCompare(conf("plain"));
  }

  @Test
  void saltAndWideUids() throws Exception {
    writeAndCompare(
        conf(
            "salted",
            "tsd.storage.salt.width",
            "1",
            "tsd.storage.salt.buckets",
            "20",
            "tsd.storage.uid.width.metric",
            "4",
            "tsd.storage.uid.width.tagv",
            "4"));
  }

  @Test
  void appends() throws Exception {
    writeAndCompare(conf("append", "tsd.storage.enable_appends", "true"));
  }

  @Test
  void dateTiered() throws Exception {
    writeAndCompare(conf("tiered", "tsd.storage.use_otsdb_timestamp", "true"));
  }

  @Test
  void compactedByTheTsdWithLatePointsAfterwards() throws Exception {
    Map<String, String> compacting =
        conf(
            "compact",
            "tsd.storage.enable_compaction",
            "true",
            "tsd.storage.compaction.flush_interval",
            "1",
            "tsd.storage.compaction.flush_speed",
            "7200",
            "tsd.storage.compaction.min_flush_threshold",
            "1");
    TsdServer writer = stack.startTsd("compact-writer", compacting);
    CorrectnessData data = new CorrectnessData(writer.client());
    data.writeFirst();
    Await.until(
        "the TSD has compacted a row of 3600 points",
        LONG,
        () -> hbase.cells("compact-data").stream().anyMatch(c -> c.qualifier().length >= 7200));
    Await.until(
        "the TSD has compacted most rows",
        LONG,
        () -> {
          List<RawCell> cells = hbase.cells("compact-data");
          return cells.stream().filter(c -> c.qualifier().length > 4).count() > 30;
        });
    writer.stop();
    Map<String, String> quiet = conf("compact");
    TsdServer late = stack.startTsd("compact-judge", quiet);
    CorrectnessData more = new CorrectnessData(late.client());
    more.writeLater();
    data.metrics().addAll(more.metrics());
    JsonNode report = snapshotAndCompare(quiet, late, data);
    assertThat(report.at("/points/duplicates").longValue()).isPositive();
    late.stop();
  }

  private void writeAndCompare(Map<String, String> conf) throws Exception {
    String tables = conf.get("tsd.storage.hbase.data_table");
    TsdServer tsd = stack.startTsd(tables, conf);
    CorrectnessData data = new CorrectnessData(tsd.client());
    if ("true".equals(conf.get("tsd.storage.use_otsdb_timestamp"))) {
      data.withoutMixedInstants();
    }
    data.writeFirst();
    fourByteFloats(tsd, data);
    hbase.flush(tables);
    nextMillisecond();
    data.writeLater();
    hbase.flush(tables);
    asides(tsd.client());
    delete(conf);
    hbase.split(tables, middleRow(tables));
    JsonNode report = snapshotAndCompare(conf, tsd, data);
    // The data held what the comparison cannot see.
    assertThat(report.at("/setAside/annotations").longValue()).isPositive();
    assertThat(report.at("/setAside/histograms").longValue()).isPositive();
    assertThat(report.at("/rows/skipped/annotationOrHistogramOnly").longValue()).isPositive();
    assertThat(report.at("/rows/skipped/outsideWindow").longValue()).isPositive();
    assertThat(report.at("/points/duplicates").longValue()).isPositive();
    tsd.stop();
  }

  /** HTTP stores doubles only; floats of 4 bytes come by telnet. */
  private static void fourByteFloats(TsdServer tsd, CorrectnessData data) throws Exception {
    try (TelnetClient telnet = tsd.telnet()) {
      List<DataPoint> points = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        points.add(
            new DataPoint(
                "t.float", FROM + 3600 + i * 11L, String.valueOf(i * 0.25), Map.of("host", "f")));
      }
      telnet.put(points);
    }
    data.metrics().add("t.float");
    Await.until(
        "all floats are stored",
        LONG,
        () -> {
          List<Series> series = tsd.client().query(QuerySpec.of("t.float", FROM, TO - 2));
          return series.size() == 1 && series.get(0).points().size() == 50;
        });
  }

  /** Equal cell timestamps would leave the winner of a duplicate to chance. */
  private static void nextMillisecond() {
    long now = System.currentTimeMillis();
    Await.until("the clock has moved on", LONG, () -> System.currentTimeMillis() > now + 5);
  }

  /** Annotations and histograms in rows with points and alone. */
  private static void asides(TsdClient tsd) {
    Series series = tsd.query(QuerySpec.of("t.rewrite", FROM, TO - 2)).get(0);
    String tsuid = series.tsuids().get(0);
    tsd.putAnnotation(tsuid, FROM + 30, "deployed");
    tsd.putAnnotation(tsuid, FROM * 1000 + 31, "deployed again");
    tsd.putAnnotation(tsuid, TO - 10, "in an hour with points");
    tsd.putHistogram("t.rewrite", FROM + 45, Map.of("0,10", 3L, "10,20", 4L), Map.of("host", "r"));
    Map<String, String> only = Map.of("host", "only");
    tsd.putHistogram("t.histogram", FROM + 45, Map.of("0,10", 3L), only);
    tsd.putHistogram("t.histogram", FROM + 100, Map.of("0,10", 1L, "20,30", 5L), only);
    tsd.putHistogram("t.histogram", FROM + 3645, Map.of("10,20", 2L), only);
    String alone =
        tsd.query(QuerySpec.of("t.size", FROM, TO - 2)).stream()
            .filter(s -> s.tags().get("points").equals("1"))
            .findFirst()
            .orElseThrow()
            .tsuids()
            .get(0);
    tsd.putAnnotation(alone, FROM + 3 * 3600, "in an hour of its own");
  }

  private void delete(Map<String, String> conf) throws IOException {
    String table = conf.get("tsd.storage.hbase.data_table");
    RowKey rowKey = new RowKey(schema(conf));
    Series cell = deleteSeries(conf, "cell");
    Series row = deleteSeries(conf, "row");
    int deletedCells = 0;
    int deletedRows = 0;
    for (RawCell candidate : hbase.cells(table)) {
      byte[] key = candidate.row();
      if (rowKey.isGlobalAnnotation(key, 0, key.length)) {
        continue;
      }
      String tsuid = HexFormat.of().withUpperCase().formatHex(rowKey.tsuid(key, 0, key.length));
      long base = rowKey.baseTime(key, 0);
      if (tsuid.equals(row.tsuids().get(0)) && base == FROM + 3600) {
        hbase.deleteRow(table, key);
        deletedRows++;
      } else if (tsuid.equals(cell.tsuids().get(0))
          && candidate.qualifier().length == 2
          && base % 7200 == 0
          && candidate.qualifier()[0] == 0) {
        hbase.deleteCell(table, key, "t", candidate.qualifier());
        deletedCells++;
      }
    }
    assertThat(deletedRows).isPositive();
    if (!"true".equals(conf.get("tsd.storage.enable_appends"))) {
      assertThat(deletedCells).isPositive();
    }
  }

  private Series deleteSeries(Map<String, String> conf, String what) {
    TsdClient tsd = stack.tsd(conf.get("tsd.storage.hbase.data_table")).client();
    return tsd.query(QuerySpec.of("t.delete", FROM, TO - 2).tag("what", what)).get(0);
  }

  private byte[] middleRow(String table) throws IOException {
    List<RawCell> cells = hbase.cells(table);
    return cells.get(cells.size() / 2).row();
  }

  static StorageSchema schema(Map<String, String> conf) {
    StringBuilder text = new StringBuilder();
    conf.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return StorageSchema.from(TsdConfig.parse(text.toString()));
  }

  /** One pass with all intervals, over parts of regions and over whole ones. */
  private static void everyInterval(Map<String, String> conf, TsdServer tsd, CorrectnessData data)
      throws Exception {
    String table = conf.get("tsd.storage.hbase.data_table");
    EveryInterval intervals = new EveryInterval(conf, tsd, data.metrics(), FROM);
    String[] input = {
      "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
      "--data-snapshot=" + table + "-snapshot",
      "--uid-snapshot=" + table + "-uids",
      "--tsd-config=" + tsd.configFile(),
      "--interval=" + String.join(",", EveryInterval.ALL),
      "--day=2025-11-19"
    };
    String plain = "--rollup-config=" + intervals.rollupConfig();
    JobRun run =
        new JobRun(TestFiles.directory(table))
            .json()
            .with(input)
            .with(plain, "--partition-size=0.01")
            .run();
    intervals.check(run);
    run =
        new JobRun(TestFiles.directory(table))
            .json()
            .with(input)
            .with(intervals.histogramOptions().toArray(String[]::new))
            .with("--partition-size=256")
            .run();
    intervals.check(run);
    intervals.checkHistograms(run, tsd.client(), FROM);
    intervals.checkTiers(run, data.metrics(), FROM);
    intervals.checkHFiles(table + "-snapshot", table + "-uids", data.metrics(), FROM);
    intervals.verify(Stream.concat(Stream.of(input), Stream.of(plain)).toArray(String[]::new));
  }

  private JsonNode snapshotAndCompare(Map<String, String> conf, TsdServer tsd, CorrectnessData data)
      throws Exception {
    String table = conf.get("tsd.storage.hbase.data_table");
    hbase.snapshot(table, table + "-snapshot");
    hbase.snapshot(conf.get("tsd.storage.hbase.uid_table"), table + "-uids");
    JsonNode report = null;
    for (String interval : List.of("10m", "1h")) {
      Path directory = TestFiles.directory(table);
      JobRun run =
          new JobRun(directory)
              .json()
              .with(
                  "--snapshot-root=" + hbase.rootDir(),
                  "--data-snapshot=" + table + "-snapshot",
                  "--uid-snapshot=" + table + "-uids",
                  "--tsd-config=" + tsd.configFile(),
                  "--rollup-config=" + TestFiles.rollupConfig(directory),
                  "--interval=" + interval,
                  // A part of a region for each task, then whole regions.
                  "--partition-size=" + (interval.equals("10m") ? "0.03" : "256"),
                  "--from=" + FROM,
                  "--to=" + TO)
              .run();
      assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
      SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
      TsdOracle oracle = new TsdOracle(tsd.client());
      for (String metric : data.metrics()) {
        expected.putAll(oracle.rollups(metric, FROM, TO, interval));
      }
      assertThat(expected).hasSizeGreaterThan(100);
      int regions = run.reportJson().at("/plan/regionsInWindow").intValue();
      int partitions = run.reportJson().at("/plan/partitions").intValue();
      assertThat(partitions > regions).isEqualTo(interval.equals("10m"));
      assertThat(RollupDiff.of(expected, run.rollups())).isEmpty();
      report = run.reportJson();
      assertThat(report.get("booksClose").booleanValue()).isTrue();
      assertThat(report.get("rollups").longValue()).isEqualTo(expected.size());
    }
    if (EVERY_INTERVAL.contains(table) || Seed.times(0, 1) > 0) {
      everyInterval(conf, tsd, data);
    }
    return report;
  }
}
