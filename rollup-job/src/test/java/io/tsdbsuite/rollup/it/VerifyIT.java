package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rollups of two days, the second of which has no data, with p99 and first, stored by a stock TSD,
 * and histograms: they are clean; then one is deleted, one changed and two are invented, one p99 is
 * changed, and one first is deleted; of the histograms one is deleted, one changed and one
 * invented.
 */
class VerifyIT {
  private static final String HOURS = "verify-rollup-1h";
  private static final String DAYS = "verify-rollup-1d";
  private static final String HISTOGRAMS = "verify-histogram-1h";
  private static final String DAY_HISTOGRAMS = "verify-histogram-1d";
  private static final String GOOD_DAYS = DAYS + "-good," + DAY_HISTOGRAMS + "-good";
  private static final String GOOD = GOOD_DAYS + "," + HOURS + "-good," + HISTOGRAMS + "-good";
  private static final long FROM = SmallData.TO;
  private static final long TO = SmallData.END + SmallData.DAY;
  private static final int ROLLUPS = SmallData.SERIES_PER_METRIC * 25;
  private static final byte SKETCH = 43;
  private static final byte[] HISTOGRAM = {6, 0, 0};
  private static final int SUM = 0;
  private static final int MAX = 4;
  private static final int P99 = 8;
  private static final int FIRST = 9;

  private static final String SUITE =
      "{\"values\":[{\"metrics\":\"a.a\",\"intervals\":\"1h,1d\",\"aggregators\":\"p99,first\"}],"
          + "\"histograms\":[{\"metrics\":\"a.a\",\"intervals\":\"1h,1d\"}],"
          + "\"histogramTables\":{\"1h\":\"verify-histogram-1h\",\"1d\":\"verify-histogram-1d\"}}";

  private static final SmallData DATA = SmallData.get();
  private static TsdServer tsd;
  private static Path rollupConfig;

  /** The same without suite. */
  private static Path plainConfig;

  private static String root;

  @BeforeAll
  static void store() throws Exception {
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    root = hbase.rootDir();
    plainConfig = TestFiles.rollupConfig(TestFiles.directory("verify"), "verify");
    rollupConfig =
        Files.writeString(
            plainConfig.resolveSibling("suite.json"),
            Files.readString(plainConfig)
                .replace("\"max\":4", "\"max\":4,\"p99\":8,\"first\":9")
                .replace("]}", "],\"suite\":" + SUITE + "}"));
    Map<String, String> conf = new HashMap<>(CorrectnessIT.conf("small"));
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig.toString());
    tsd = stack.startTsd("verify", conf);
    JobRun run =
        new JobRun(TestFiles.directory("verify"))
            .json()
            .with(input(rollupConfig))
            .with("--interval=1h,1d");
    run.run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.lines()).hasSize(ROLLUPS);
    EveryInterval.put(tsd.client(), run.lines());
    Await.until(
        "rollups are stored",
        Duration.ofSeconds(60),
        () -> hbase.cells(HOURS).size() + hbase.cells(DAYS).size() == 6 * ROLLUPS);
    HistogramStore.put(
        hbase,
        "small-uid",
        new RowKey(StorageSchema.defaults()),
        run.lines(),
        Map.of("1h", HISTOGRAMS, "1d", DAY_HISTOGRAMS));
    for (String table : List.of(HOURS, DAYS, HISTOGRAMS, DAY_HISTOGRAMS)) {
      hbase.snapshot(table, table + "-good");
    }
    spoil(hbase);
    hbase.snapshot(HOURS, HOURS + "-bad");
    spoilHistograms(hbase);
    hbase.snapshot(HISTOGRAMS, HISTOGRAMS + "-bad");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.snapshot(
          new SnapshotDescription(
              HOURS + "-unflushed", TableName.valueOf(HOURS), SnapshotType.SKIPFLUSH));
    }
  }

  private static String[] input(Path config) {
    return new String[] {
      "--snapshot-root=" + root,
      "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
      "--uid-snapshot=" + SmallData.UID_SNAPSHOT,
      "--tsd-config=" + DATA.configFile(),
      "--rollup-config=" + config,
      "--from=" + FROM,
      "--to=" + TO,
      "--metrics=a.a",
      "--tsd.core.histograms.config=" + TsdServer.SKETCH_CONFIG
    };
  }

  /** Deletes the first, changes the second to a sketch of one value, and copies the third. */
  private static void spoilHistograms(HBaseServer hbase) throws IOException {
    List<RawCell> cells = hbase.cells(HISTOGRAMS);
    hbase.deleteCell(HISTOGRAMS, cells.get(0).row(), "t", HISTOGRAM);
    Sketch sketch = new Sketch();
    sketch.add(12345.5);
    byte[] value = Bytes.add(new byte[] {SKETCH}, sketch.bytes());
    byte[] nextDay = at(cells.get(2).row(), SmallData.END);
    hbase.putCells(
        HISTOGRAMS,
        List.of(
            new RawCell(cells.get(1).row(), "t", HISTOGRAM, Long.MAX_VALUE, value),
            new RawCell(nextDay, "t", HISTOGRAM, Long.MAX_VALUE, cells.get(2).value())));
  }

  /**
   * Three series of the first day each lose, change or gain an hour; one is invented as a whole.
   */
  private static void spoil(HBaseServer hbase) throws IOException {
    RowKey rowKey = new RowKey(StorageSchema.defaults());
    TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
    Set<String> tags = new HashSet<>();
    List<RawCell> cells = hbase.cells(HOURS);
    for (RawCell cell : cells) {
      rows.add(cell.row());
      tags.add(tags(cell.row()));
    }
    byte[] deleted = rows.pollFirst();
    byte[] changed = rows.pollFirst();
    byte[] gaining = rows.pollFirst();
    for (RawCell cell : cells) {
      byte[] q = cell.qualifier();
      if (Arrays.equals(cell.row(), deleted) && RollupCell.offset(q, 0) == 5) {
        hbase.deleteCell(HOURS, deleted, "t", q);
      }
      if (Arrays.equals(cell.row(), changed)
          && RollupCell.offset(q, 0) == 6
          && RollupCell.aggregatorId(q, 0) == MAX) {
        // The same column: a delete of the old value would also delete a new one of its
        // millisecond.
        assertThat(q).isEqualTo(RollupCell.doubleQualifier(MAX, 6));
        put(hbase, changed, q, 12345.5);
      }
    }
    spoilFurther(hbase, cells, rows);
    byte[] nextDay = at(gaining, SmallData.END);
    put(hbase, nextDay, RollupCell.doubleQualifier(SUM, 3), 77);
    byte[] invented = gaining.clone();
    // A pair of tags that no series has.
    for (byte value = 1; tags.contains(tags(invented)); value++) {
      invented[invented.length - 1] = value;
    }
    assertThat(rowKey.check(invented, 0, invented.length)).isNull();
    put(hbase, invented, RollupCell.doubleQualifier(SUM, 3), 78);
  }

  /** Changes a p99 of one row, on its width, and deletes a first of another hour. */
  private static void spoilFurther(HBaseServer hbase, List<RawCell> cells, Set<byte[]> rows)
      throws IOException {
    RawCell p99 =
        cells.stream()
            .filter(cell -> rows.contains(cell.row()))
            .filter(cell -> RollupCell.aggregatorId(cell.qualifier(), 0) == P99)
            .filter(cell -> cell.value().length == Double.BYTES)
            .findFirst()
            .orElseThrow();
    byte[] q = p99.qualifier();
    assertThat(q).isEqualTo(RollupCell.doubleQualifier(P99, RollupCell.offset(q, 0)));
    put(hbase, p99.row(), q, 54321.5);
    RawCell first =
        cells.stream()
            .filter(cell -> Arrays.equals(cell.row(), p99.row()))
            .filter(cell -> RollupCell.aggregatorId(cell.qualifier(), 0) == FIRST)
            .filter(cell -> RollupCell.offset(cell.qualifier(), 0) != RollupCell.offset(q, 0))
            .findFirst()
            .orElseThrow();
    hbase.deleteCell(HOURS, first.row(), "t", first.qualifier());
  }

  private static String tags(byte[] row) {
    return new String(row, 7, row.length - 7, StandardCharsets.ISO_8859_1);
  }

  private static byte[] at(byte[] row, long time) {
    return ByteBuffer.wrap(row.clone()).putInt(3, (int) time).array();
  }

  private static void put(HBaseServer hbase, byte[] row, byte[] qualifier, double value)
      throws IOException {
    hbase.putCells(
        HOURS,
        List.of(new RawCell(row, "t", qualifier, Long.MAX_VALUE, RollupCell.doubleValue(value))));
  }

  private static JobRun verify(String... more) {
    return verify(rollupConfig, more);
  }

  private static JobRun verify(Path config, String... more) {
    JobRun run = new JobRun(TestFiles.directory("verify")).with("verify");
    return run.with(input(config)).with(more).run();
  }

  /** Of rollups and as many histograms. */
  private static void requireCounts(JobRun run, int missing, int extra, int different)
      throws IOException {
    requireCounts(run, 2 * ROLLUPS, missing, extra, different);
  }

  private static void requireCounts(JobRun run, int rollups, int missing, int extra, int different)
      throws IOException {
    int bad = missing + different;
    assertThat(run.exitCode())
        .as(run::everything)
        .isEqualTo(bad + extra == 0 ? ExitCode.DONE : ExitCode.BAD_INPUT);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).as(run::everything).isTrue();
    JsonNode compared = report.get("compared");
    assertThat(compared.get("fromRawData").intValue()).isEqualTo(rollups);
    assertThat(compared.get("equal").intValue()).isEqualTo(rollups - bad);
    assertThat(compared.get("missing").intValue()).isEqualTo(missing);
    assertThat(compared.get("extra").intValue()).isEqualTo(extra);
    assertThat(compared.get("different").intValue()).isEqualTo(different);
  }

  @Test
  void whatWasRolledUpIsClean() throws Exception {
    JobRun run = verify("--interval=1h,1d", "--against-snapshot=" + GOOD);
    requireCounts(run, 0, 0, 0);
    JsonNode report = run.reportJson();
    for (String level : List.of("1d", "1d.histogram")) {
      assertThat(report.at("/compared/byInterval/" + level + "/equal").intValue())
          .isEqualTo(SmallData.SERIES_PER_METRIC);
    }
    assertThat(report.at("/input/rollupTable 1d.histogram").textValue()).isEqualTo(DAY_HISTOGRAMS);
    assertThat(report.at("/compared/series").intValue()).isEqualTo(SmallData.SERIES_PER_METRIC);
    assertThat(report.at("/stored/cells").intValue()).isEqualTo(7 * ROLLUPS);
    assertThat(report.at("/stored/otherAggregates").intValue()).isZero();
    assertThat(report.at("/input/suite").textValue()).isEqualTo(SUITE);
    assertThat(report.get("gaps")).isEmpty();
    assertThat(report.at("/input/metrics").textValue()).isEqualTo("a.a");
    assertThat(report.at("/input/rollupTable 1d").textValue()).isEqualTo(DAYS);
    assertThat(run.err()).isEmpty();
  }

  /** Without suite p99 and first are of aggregators like any other. */
  @Test
  void whatNoSuiteNamesIsCounted() throws Exception {
    JobRun run =
        verify(
            plainConfig,
            "--interval=1h,1d",
            "--against-snapshot=" + DAYS + "-good," + HOURS + "-good");
    requireCounts(run, ROLLUPS, 0, 0, 0);
    assertThat(run.reportJson().at("/stored/otherAggregates").intValue()).isEqualTo(2 * ROLLUPS);
    assertThat(run.reportJson().at("/input/suite").isMissingNode()).isTrue();
  }

  @Test
  void aDryRunChecksSnapshotsAndComparesNothing() {
    JobRun dry = verify("--dry-run", "--interval=1h,1d", "--against-snapshot=" + GOOD);
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
    assertThat(dry.out())
        .contains(HOURS + "-good")
        .contains("dry run            no data was read or compared, nothing was written");
    JobRun lacking =
        verify("--dry-run", "--interval=1h,1d", "--against-snapshot=" + HOURS + "-good");
    assertThat(lacking.exitCode()).as(lacking::everything).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void snapshotsTellWhatIsWrong() throws Exception {
    JobRun run =
        verify(
            "--interval=1h,1d",
            "--against-snapshot=" + GOOD_DAYS + "," + HOURS + "-bad," + HISTOGRAMS + "-bad");
    requireCounts(run, 2, 3, 4);
    assertThat(run.err())
        .isEqualTo(
            "rollup-job verify: of "
                + (2 * ROLLUPS + 3)
                + " rollups 2 are missing, 3 are extra, 4 are different"
                + System.lineSeparator());
    assertThat(run.out())
        .containsPattern(
            "missing +a.a\\{dc=dc\\d,host=h\\d+\\} 1h 2025-11-20T05:00:00Z: nothing is")
        .containsPattern("different +a.a\\{.*\\} 1h 2025-11-20T06:00:00Z: max is 12345.5, raw data")
        .containsPattern("different +a.a\\{.*\\} 1h .*Z: p99 is 54321.5, raw data make -?\\d")
        .containsPattern("different +a.a\\{.*\\} 1h .*Z: first is not stored, raw data make -?\\d")
        .containsPattern(
            "missing +a.a\\{.*\\} 1h.histogram .*Z: nothing is stored, raw data make a")
        .containsPattern(
            "different +a.a\\{.*\\} 1h.histogram .*Z: stored is a sketch of \\d+ bytes with p50=.*"
                + " count=1, raw data make a sketch of \\d+ bytes with p50=.* p99=.* count=\\d+")
        .containsPattern("extra +a.a\\{.*\\} 1h.histogram 2025-11-21T00:00:00Z: stored is a sketch")
        .containsPattern("extra +a.a\\{.*\\} 1h 2025-11-21T03:00:00Z: stored is sum=77.0, raw")
        .containsPattern("extra +.* 1h 2025-11-20T03:00:00Z: stored is sum=78.0, raw data make")
        .contains("exit code 1");
  }

  @Test
  void aTsdTellsWhatIsWrongWithTheSeriesThatThereAre() throws Exception {
    JobRun run = verify("--interval=1h,1d", "--against-tsd=http://127.0.0.1:" + tsd.port());
    requireCounts(run, ROLLUPS, 1, 1, 3);
    assertThat(run.reportJson().get("gaps").toString())
        .contains("the histograms of suite.histograms were not compared (--against-tsd)");
  }

  @Test
  void someSeriesAreClean() throws Exception {
    JobRun run =
        verify(
            "--interval=1d",
            "--sample=30%",
            "--min-series=1",
            "--against-tsd=http://127.0.0.1:" + tsd.port() + "/");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    int series = report.at("/compared/series").intValue();
    assertThat(series).isBetween(1, SmallData.SERIES_PER_METRIC - 1);
    assertThat(report.at("/compared/equal").intValue()).isEqualTo(series);
    assertThat(report.at("/tsd/queries").intValue()).isEqualTo(6 * series);
    assertThat(report.get("gaps").toString())
        .contains("(--against-tsd)", "a sample of 0.3 of the series was compared");
  }

  /** One series in a million is none of these; then all are compared. */
  @Test
  void aSampleOfASmallTable() throws IOException {
    JobRun run = verify("--interval=1d", "--sample=0.0001%", "--against-snapshot=" + GOOD_DAYS);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.at("/compared/series").intValue()).isEqualTo(SmallData.SERIES_PER_METRIC);
    assertThat(report.at("/sample/fraction").doubleValue()).isEqualTo(1);
  }

  @Test
  void wrongUse() {
    JobRun lacking = verify("--interval=1h,1d", "--against-snapshot=" + HOURS + "-good");
    assertThat(lacking.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(lacking.err())
        .contains(
            "must have a snapshot of table " + DAYS,
            "for 1d alone",
            "must have a snapshot of table " + HISTOGRAMS,
            "for 1h.histogram alone");
    JobRun foreign = verify("--against-snapshot=" + HOURS + "-good," + SmallData.DATA_SNAPSHOT);
    assertThat(foreign.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(foreign.err()).contains(SmallData.DATA_SNAPSHOT + " is of table small-data");
    JobRun unflushed = verify("--against-snapshot=" + HOURS + "-unflushed");
    assertThat(unflushed.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(unflushed.err())
        .contains("snapshot '" + HOURS + "-unflushed' was taken with SKIP_FLUSH");
    JobRun missing = verify("--against-snapshot=no-such");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("snapshot 'no-such' is not under");
    JobRun down = verify("--against-tsd=http://127.0.0.1:" + FreePorts.next());
    assertThat(down.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(down.err()).contains("the TSD http://127.0.0.1:", "does not answer, asked 3 times");
  }
}
