package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Proofs of days whose rollups a stock TSD has stored, beside a scan of all raw cells. */
class TiersProveIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final long HOUR = 3600;
  private static final long DAY = 86400;
  private static final long START = SmallData.START;
  private static final int DAYS = 4;
  private static final int SERIES = 3;

  /** Of sum, min, max and count: {@link RollupStore#IDS}. */
  private static final List<Integer> AGGREGATORS = List.of(0, 3, 4, 2);

  private static final List<String> METRICS = List.of("app.a", "app.debug.b", "web.a");

  /** Columns beside points; the offset of the first is that of no point. */
  private static final String ANNOTATION = "010005";

  private static final String HISTOGRAM = "060005";
  private static final String UNKNOWN = "09000500050005";

  /** A float of 4 bytes, 5 seconds into the hour. */
  private static final String FLOAT = "005b";

  /** Of the first two days raw data of app.a go, of the first that of app.debug.b. */
  private static final String POLICY =
      "[{\"match\":\"app.debug.*\",\"raw\":\"3d\",\"1h\":\"1y\"},{\"match\":\"app.*\",\"raw\":\"2d\"}]";

  /** The same, and of app.a hours of the first day go, and the year of the days. */
  private static final String TIERS =
      "[{\"match\":\"app.debug.*\",\"raw\":\"3d\"},"
          + "{\"match\":\"app.*\",\"raw\":\"2d\",\"1h\":\"3d\",\"1d\":\"30d\"}]";

  /** A midnight after that year. */
  private static final long NEXT_YEAR = LocalDate.parse("2026-01-02").toEpochDay() * DAY;

  private static final Instant NOW = Instant.ofEpochSecond(START + DAYS * DAY + 5 * HOUR);

  private final HBaseServer hbase = SharedStack.get().hbase();
  private final Path directory = TestFiles.directory("prove");
  private String tables = "";
  private Path rollupConfig = directory;
  private TsdServer tsd;
  private RowKey keys = new RowKey(StorageSchema.defaults());
  private Path proofs = directory;
  private String policy = POLICY;

  @Test
  void withoutSalt() throws Exception {
    make("prove", List.of(HexFormat.of().parseHex("000002")));
    equalDaysAreProven();
    histogramsAreProven();
    requireRefusedOptions();
    latePointsProveNothing();
    snapshotsAreInOrder();
    spoiltRollupsProveNothing();
    unsafeTablesAreRefused();
  }

  @Test
  void withSaltBuckets() throws Exception {
    make(
        "prove-salted",
        List.of(new byte[] {1}, new byte[] {3}),
        "tsd.storage.salt.width",
        "1",
        "tsd.storage.salt.buckets",
        "5");
    equalDaysAreProven();
    daysBelowAFloorAreNotProvenAgain();
    rollupTablesAreProven();
    rowsOfFormerBucketsNeedAnyBucket();
  }

  private void make(String name, List<byte[]> splits, String... more) throws Exception {
    tables = name;
    rollupConfig =
        Files.writeString(
            directory.resolve("rollup_config.json"),
            RollupStore.config(
                name + "-data", name + "-rollup", RollupStore.IDS, List.of("1h", "1d")));
    Map<String, String> conf = CorrectnessIT.conf(name, more);
    conf.put("tsd.storage.enable_compaction", "false");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig.toString());
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> key : conf.entrySet()) {
      config = config.with(key.getKey(), key.getValue());
    }
    keys = new RowKey(StorageSchema.from(config));
    Stack stack = SharedStack.get();
    stack.create(
        OpenTsdbTables.of(conf)
            .rollup(name + "-rollup-1h")
            .rollup(name + "-rollup-1d")
            .splits(splits));
    tsd = stack.startTsd(name, conf);
    List<DataPoint> points = new ArrayList<>();
    for (String metric : METRICS) {
      for (long hour = START; hour < START + DAYS * DAY; hour += HOUR) {
        for (int i = 0; i < SERIES; i++) {
          Map<String, String> tags = Map.of("host", "h" + i);
          points.add(new DataPoint(metric, hour + 7L * i + 60, hour / HOUR % 24 + i, tags));
          points.add(new DataPoint(metric, hour + 7L * i + 900, i + 0.25, tags));
        }
      }
    }
    tsd.client().put(points, 3000);
    asides();
    hbase.snapshot(name + "-data", name + "-first-data");
    hbase.snapshot(name + "-uid", name + "-first-uid");
    JobRun run =
        new JobRun(TestFiles.directory("prove-job"))
            .json()
            .with(
                "--snapshot-root=" + hbase.rootDir(),
                "--data-snapshot=" + name + "-first-data",
                "--uid-snapshot=" + name + "-first-uid",
                "--tsd-config=" + tsd.configFile(),
                "--rollup-config=" + rollupConfig,
                "--interval=1h,1d",
                "--from=" + START,
                "--to=" + (START + DAYS * DAY))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    EveryInterval.put(tsd.client(), run.lines());
    Await.until(
        "rollups are stored",
        LONG,
        () ->
            hbase.cells(name + "-rollup-1h").size() + hbase.cells(name + "-rollup-1d").size()
                == 4 * run.lines().size());
    snapshots("good");
  }

  /** In the first day of app.a one row of each kind that is not only points. */
  private void asides() throws IOException {
    List<byte[]> rows = rows("app.a", START, START + DAY);
    hbase.putCells(
        tables + "-data",
        List.of(
            cell(rows.get(0), ANNOTATION, "7b7d"),
            cell(rows.get(1), ANNOTATION, "7b7d"),
            cell(rows.get(2), HISTOGRAM, "0001"),
            cell(rows.get(3), UNKNOWN, "01"),
            cell(rows.get(4), FLOAT, "7fc00000"),
            cell(unused(rows.get(0), 101), ANNOTATION, "7b7d"),
            cell(unused(rows.get(0), 102), HISTOGRAM, "0001"),
            cell(unused(rows.get(0), 103), FLOAT, "7fc00000")));
  }

  /** The row of a series that has no point. */
  private byte[] unused(byte[] row, int tagv) {
    byte[] other = row.clone();
    other[other.length - 1] = (byte) tagv;
    keys.writeSalt(other);
    return other;
  }

  private static RawCell cell(byte[] row, String qualifier, String value) {
    HexFormat hex = HexFormat.of();
    return new RawCell(
        row, "t", hex.parseHex(qualifier), System.currentTimeMillis(), hex.parseHex(value));
  }

  /** The rows of a metric in a window, in key order. */
  private List<byte[]> rows(String metric, long from, long to) throws IOException {
    return rows(metric, tables + "-data", from, to);
  }

  private List<byte[]> rows(String metric, String table, long from, long to) throws IOException {
    TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
    for (RawCell cell : hbase.cells(table)) {
      byte[] row = cell.row();
      // UIDs are given in the order of the metrics.
      if (keys.metricUid(row, 0) == METRICS.indexOf(metric) + 1
          && keys.baseTime(row, 0) >= from
          && keys.baseTime(row, 0) < to) {
        rows.add(row);
      }
    }
    return List.copyOf(rows);
  }

  /** Takes snapshots of all tables; the rollups' last. */
  private void snapshots(String name) throws IOException {
    for (String table : List.of("data", "uid", "rollup-1h", "rollup-1d")) {
      hbase.snapshot(tables + "-" + table, tables + "-" + table + "-" + name);
    }
  }

  private JobRun prove(String snapshots, String... more) throws IOException {
    return prove(snapshots, snapshots, snapshots, NOW, more);
  }

  private JobRun prove(String data, String uids, String rollups, Instant now, String... more)
      throws IOException {
    Files.writeString(directory.resolve("tiers.json"), policy);
    Files.deleteIfExists(directory.resolve("report.json"));
    return new JobRun(directory)
        .now(now)
        .with(
            "tiers",
            "prove",
            "--policy=" + directory.resolve("tiers.json"),
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=" + tables + "-data-" + data,
            "--uid-snapshot=" + tables + "-uid-" + uids,
            "--against-snapshot="
                + String.join(
                    ",", tables + "-rollup-1d-" + rollups, tables + "-rollup-1h-" + rollups),
            "--tsd-config=" + tsd.configFile(),
            "--rollup-config=" + rollupConfig,
            "--proofs=" + proofs,
            "--report=" + directory.resolve("report.json"))
        .with(more)
        .run();
  }

  /** Planned, proven, already proven, refused, not reached, and days that wait, if any do. */
  private static void requireDays(JobRun run, int... days) throws IOException {
    JsonNode report = run.reportJson();
    List<Integer> found = new ArrayList<>();
    for (String key : List.of("planned", "proven", "alreadyProven", "refused", "notReached")) {
      found.add(report.at("/days/" + key).intValue());
    }
    int waiting = report.at("/days/waiting").intValue();
    if (waiting > 0) {
      found.add(waiting);
    }
    assertThat(found)
        .as(run::everything)
        .containsExactlyElementsOf(Arrays.stream(days).boxed().toList());
    assertThat(run.exitCode())
        .as(run::everything)
        .isEqualTo(days[3] == 0 ? ExitCode.DONE : ExitCode.BAD_INPUT);
  }

  private Map<String, JsonNode> proofs() throws IOException {
    return proofs("raw");
  }

  private Map<String, JsonNode> proofs(String table) throws IOException {
    Map<String, JsonNode> read = new TreeMap<>();
    try (Stream<Path> files = Files.list(proofs)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(table + "-")) {
          JsonNode proof = MAPPER.readTree(file.toFile());
          read.put(
              proof.at("/from").textValue() + " " + proof.at("/policy/match").textValue(), proof);
        }
      }
    }
    return read;
  }

  private void equalDaysAreProven() throws Exception {
    proofs = Files.createDirectory(directory.resolve("proofs"));
    JobRun dry = prove("good", "--dry-run");
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
    assertThat(dry.out())
        .containsPattern("not reached +3")
        .contains("dry run            nothing was compared or written");
    assertThat(directory.resolve("report.json")).doesNotExist();
    assertThat(proofs()).isEmpty();
    requireDays(prove("good", "--max-days=1"), 3, 2, 0, 0, 1);
    assertThat(proofs().keySet())
        .containsExactly("2025-11-18T00:00:00Z app.*", "2025-11-18T00:00:00Z app.debug.*");
    JobRun run = prove("good");
    requireDays(run, 3, 1, 2, 0, 0);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("2025-11-19", "app.*: proven: 72 rows and 0 with annotations");
    Map<String, JsonNode> all = proofs();
    assertThat(all).hasSize(3);
    int series = 24 * SERIES;
    JsonNode first = all.get("2025-11-18T00:00:00Z app.*");
    assertThat(first.get("metrics").toString())
        .isEqualTo(
            "{\"000001\":{\"rows\":%s,\"annotatedRows\":2,\"points\":%s}}"
                .formatted(series - 5, 2 * (series - 3)));
    assertThat(first.get("kept").toString())
        .isEqualTo("{\"annotations\":1,\"histograms\":2,\"notANumber\":2,\"unknownColumns\":1}");
    assertThat(first.at("/policy/metrics").toString()).isEqualTo("[\"app.*\",\"!app.debug.*\"]");
    assertThat(first.at("/data/table").textValue()).isEqualTo(tables + "-data");
    assertThat(first.at("/rollups/1d/snapshot").textValue()).isEqualTo(tables + "-rollup-1d-good");
    // Rows with histograms, unknown columns and NaN have rollups, too.
    assertThat(first.at("/verify/compared").intValue()).isEqualTo(series + SERIES);
    assertThat(first.at("/cluster").textValue()).matches("[0-9a-f-]{36}");
    JsonNode debug = all.get("2025-11-18T00:00:00Z app.debug.*");
    assertThat(debug.get("metrics").toString())
        .isEqualTo(
            "{\"000002\":{\"rows\":%s,\"annotatedRows\":0,\"points\":%s}}"
                .formatted(series, 2 * series));
    assertThat(debug.get("kept")).isEmpty();
    requireDays(prove("good"), 3, 0, 3, 0, 0);
    assertThat(proofs()).isEqualTo(all);
    requireDays(prove("good", "--day=2025-11-18"), 2, 0, 2, 0, 0);
  }

  /** Of app.debug.b alone, which has a row without points, and with two histograms. */
  private void histogramsAreProven() throws Exception {
    Path plain = rollupConfig;
    Path former = proofs;
    String hours = tables + "-h-1h";
    String days = tables + "-h-1d";
    String text = Files.readString(plain);
    rollupConfig =
        Files.writeString(
            directory.resolve("histograms.json"),
            text.substring(0, text.lastIndexOf('}'))
                + ",\"suite\":{\"histograms\":[{\"metrics\":\"app.debug.*\",\"intervals\":\"1h,1d\"}],"
                + "\"histogramTables\":{\"1h\":\"%s\",\"1d\":\"%s\"}}}".formatted(hours, days));
    try (Admin admin = hbase.connection().getAdmin()) {
      for (String table : List.of(hours, days)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                .build());
      }
    }
    JsonNode unused =
        tsd.client().post("api/uid/assign", MAPPER.readTree("{\"tagv\":[\"alone\"]}"));
    byte[] row = unused(rows("app.debug.b", START, START + DAY).get(0), SERIES + 1);
    Sketch sketch = new Sketch();
    sketch.add(7);
    String value = "2b" + HexFormat.of().formatHex(sketch.bytes());
    hbase.putCells(
        tables + "-data", List.of(cell(row, HISTOGRAM, value), cell(row, "06000a", value)));
    snapshots("histograms");
    String codecs = "--tsd.core.histograms.config=" + TsdServer.SKETCH_CONFIG;
    JobRun run =
        new JobRun(TestFiles.directory("prove-job"))
            .json()
            .with(
                "--snapshot-root=" + hbase.rootDir(),
                "--data-snapshot=" + tables + "-data-histograms",
                "--uid-snapshot=" + tables + "-uid-histograms",
                "--tsd-config=" + tsd.configFile(),
                "--rollup-config=" + rollupConfig,
                "--interval=1h,1d",
                "--metrics=app.debug.*",
                "--from=" + START,
                "--to=" + (START + DAY),
                codecs)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    HistogramStore.put(hbase, tables + "-uid", keys, run.lines(), Map.of("1h", hours, "1d", days));
    String full = "--against-snapshot=%s-full,%s-full".formatted(hours, days);
    hbase.snapshot(hours, hours + "-full");
    hbase.snapshot(days, days + "-full");
    List<RawCell> ofDays = hbase.cells(days);
    assertThat(ofDays).hasSize(SERIES + 1);
    hbase.deleteCell(days, ofDays.get(0).row(), "t", ofDays.get(0).qualifier());
    hbase.snapshot(days, days + "-lacking");
    proofs = Files.createDirectory(directory.resolve("proofs-histograms"));
    JobRun without = prove("histograms", "--day=2025-11-18", codecs);
    assertThat(without.exitCode()).as(without::everything).isEqualTo(ExitCode.USAGE);
    assertThat(without.err()).contains(hours + ", which rollup_config.json names for 1h.histogram");
    String lacking = "--against-snapshot=%s-full,%s-lacking".formatted(hours, days);
    JobRun refused = prove("histograms", "--day=2025-11-18", codecs, lacking);
    requireDays(refused, 2, 1, 0, 1, 0);
    assertThat(refused.out())
        .containsPattern("app.debug.b\\{.*\\} 1d.histogram .*nothing is stored");
    requireDays(prove("histograms", "--day=2025-11-18", codecs, full), 2, 2, 0, 0, 0);
    Map<String, JsonNode> all = proofs();
    JsonNode debug = all.get("2025-11-18T00:00:00Z app.debug.*");
    int series = 24 * SERIES;
    assertThat(debug.get("metrics").toString())
        .isEqualTo(
            "{\"000002\":{\"rows\":%s,\"annotatedRows\":0,\"points\":%s,\"histograms\":2}}"
                .formatted(series + 1, 2 * series + 2));
    assertThat(debug.get("kept")).isEmpty();
    assertThat(debug.at("/rollups/1d.histogram/table").textValue()).isEqualTo(days);
    assertThat(debug.at("/verify/compared").intValue()).isEqualTo(2 * (series + SERIES) + 2);
    assertThat(all.get("2025-11-18T00:00:00Z app.*").at("/kept/histograms").intValue())
        .isEqualTo(2);
    hbase.deleteRow(tables + "-data", row);
    rollupConfig = plain;
    proofs = former;
  }

  private void requireRefusedOptions() throws IOException {
    JobRun late = prove("good", "--day=2025-11-20");
    assertThat(late.exitCode()).as(late::everything).isEqualTo(ExitCode.USAGE);
    assertThat(late.err()).contains("--day must be one that raw of some entry lets go");
    JobRun lacking = prove("good", "--tsd.storage.use_otsdb_timestamp=true");
    assertThat(lacking.exitCode()).as(lacking::everything).isEqualTo(ExitCode.USAGE);
    assertThat(lacking.err()).contains("tsd.storage.use_otsdb_timestamp must be false");
  }

  /** Each was taken when there was nothing else. */
  private void snapshotsAreInOrder() throws IOException {
    snapshots("second");
    JobRun rollups = prove("second", "second", "good", NOW);
    assertThat(rollups.exitCode()).as(rollups::everything).isEqualTo(ExitCode.USAGE);
    assertThat(rollups.err())
        .contains(
            "snapshot 'prove-rollup-1h-good' of table prove-rollup-1h must not be older than data"
                + " snapshot 'prove-data-second'",
            "snapshot 'prove-rollup-1d-good'");
    JobRun uids = prove("second", "good", "second", NOW);
    assertThat(uids.exitCode()).as(uids::everything).isEqualTo(ExitCode.USAGE);
    assertThat(uids.err())
        .contains("snapshot 'prove-uid-good' of table prove-uid must not be older");
    JobRun old = prove("second", "second", "second", Instant.now().plus(Duration.ofDays(8)));
    assertThat(old.exitCode()).as(old::everything).isEqualTo(ExitCode.USAGE);
    assertThat(old.err())
        .contains("snapshot 'prove-data-second' of table prove-data must not be older than 7 days");
    // Other snapshots of equal data.
    requireDays(prove("second"), 3, 3, 0, 0, 0);
  }

  /** Of the first day a rollup of app.a differs, of the second one lacks, and one is too much. */
  private void spoiltRollupsProveNothing() throws IOException {
    String hours = tables + "-rollup-1h";
    List<RawCell> cells = new ArrayList<>();
    for (RawCell cell : hbase.cells(hours)) {
      if (keys.metricUid(cell.row(), 0) == 1) {
        cells.add(cell);
      }
    }
    RawCell maximum = find(cells, START, 4);
    byte[] wrong = RollupCell.doubleValue(12345.5);
    byte[] column = RollupCell.doubleQualifier(4, 0);
    hbase.deleteCell(hours, maximum.row(), "t", maximum.qualifier());
    Await.until("the column is gone", LONG, () -> find(hbase.cells(hours), START, 4) != null);
    hbase.putCells(hours, List.of(new RawCell(maximum.row(), "t", column, Long.MAX_VALUE, wrong)));
    snapshots("different");
    String kept = proofs().get("2025-11-19T00:00:00Z app.*").toString();
    JobRun different = prove("different", "--day=2025-11-18");
    requireDays(different, 2, 1, 0, 1, 0);
    assertThat(different.err()).contains("1 of 2 days of entries are refused");
    assertThat(different.out())
        .containsPattern(
            "2025-11-18 +app.\\*: refused: of 75 rollups 0 are missing, 0 are extra, 1 are"
                + " different; different: app.a\\{host=h\\d\\} 1h 2025-11-18T00:00:00Z: max is"
                + " 12345.5");
    assertThat(proofs().keySet())
        .containsExactly("2025-11-18T00:00:00Z app.debug.*", "2025-11-19T00:00:00Z app.*");
    assertThat(proofs().get("2025-11-19T00:00:00Z app.*")).hasToString(kept);
    try (Stream<Path> files = Files.list(proofs)) {
      assertThat(
              files.filter(
                  file -> file.getFileName().toString().startsWith("verify-raw-2025-11-18")))
          .hasSize(2);
    }

    for (RawCell cell : cells) {
      if (Arrays.equals(cell.row(), find(cells, START + DAY, 4).row())
          && RollupCell.offset(cell.qualifier(), 0) == 7) {
        hbase.deleteCell(hours, cell.row(), "t", cell.qualifier());
      }
    }
    snapshots("missing");
    JobRun missing = prove("missing", "--day=2025-11-19");
    requireDays(missing, 1, 0, 0, 1, 0);
    assertThat(missing.out())
        .contains("1 are missing, 0 are extra, 0 are different; missing: app.a{");
    assertThat(proofs().keySet()).containsExactly("2025-11-18T00:00:00Z app.debug.*");

    byte[] invented = unused(find(hbase.cells(hours), START, 0).row(), 77);
    byte[] debug = invented.clone();
    System.arraycopy(Bytes.toBytes(2), 1, debug, keys.metricOffset(), 3);
    hbase.putCells(
        hours,
        List.of(
            new RawCell(
                debug, "t", RollupCell.doubleQualifier(0, 3), 1, RollupCell.doubleValue(7))));
    snapshots("extra");
    JobRun extra = prove("extra", "--day=2025-11-18");
    requireDays(extra, 2, 0, 0, 2, 0);
    assertThat(extra.out())
        .contains("app.debug.*: refused: of 76 rollups 0 are missing, 1 are extra");
    assertThat(proofs()).isEmpty();
  }

  /** A cell of a rollup in the row of a day. */
  private RawCell find(List<RawCell> cells, long day, int aggregator) {
    return cells.stream()
        .filter(cell -> keys.baseTime(cell.row(), 0) == day)
        .filter(cell -> RollupCell.aggregatorId(cell.qualifier(), 0) == aggregator)
        .findFirst()
        .orElse(null);
  }

  /** A point that came after the rollups. */
  private void latePointsProveNothing() throws IOException {
    byte[] row = rows("app.a", START + DAY, START + 2 * DAY).get(9);
    RawCell point = cell(row, "0010", "05");
    hbase.putCells(tables + "-data", List.of(point));
    snapshots("late");
    JobRun late = prove("late", "--day=2025-11-19");
    requireDays(late, 1, 0, 0, 1, 0);
    assertThat(late.out())
        .contains("0 are missing, 0 are extra, 2 are different", "count is 2, raw data make 3");
    assertThat(proofs()).hasSize(2);
    // What was refused leaves the night to the others.
    requireDays(prove("late", "--max-days=1"), 3, 2, 0, 0, 1);
    hbase.deleteCell(tables + "-data", row, "t", point.qualifier());
  }

  private void unsafeTablesAreRefused() throws IOException {
    alter(
        tables + "-data", family -> family.setScope(1).setKeepDeletedCells(KeepDeletedCells.TRUE));
    alter(tables + "-rollup-1h", family -> family.setTimeToLive(3600 * 24 * 30));
    snapshots("unsafe");
    JobRun unsafe = prove("unsafe");
    assertThat(unsafe.exitCode()).as(unsafe::everything).isEqualTo(ExitCode.USAGE);
    assertThat(unsafe.err())
        .contains(
            "table prove-data must have REPLICATION_SCOPE 0",
            "table prove-data must have KEEP_DELETED_CELLS FALSE",
            "the TTL of table prove-rollup-1h must not be less than what the policy keeps"
                + " (app.debug.*: 1h 365 days), found 2592000 s",
            "(app.*: 1h for ever), found 2592000 s");
    assertThat(unsafe.reportJson().get("exitCode").intValue()).isEqualTo(2);
  }

  private void alter(String table, UnaryOperator<ColumnFamilyDescriptorBuilder> change)
      throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableName name = TableName.valueOf(table);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .modifyColumnFamily(
                  change
                      .apply(
                          ColumnFamilyDescriptorBuilder.newBuilder(
                              admin.getDescriptor(name).getColumnFamilies()[0]))
                      .build())
              .build());
    }
  }

  /** The rows of app.a of its first day are gone, as by tiers apply; then a late point came. */
  private void daysBelowAFloorAreNotProvenAgain() throws IOException {
    String data = tables + "-data";
    String table = tables + "-coverage";
    SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf(tables)).coverage(table));
    String days = tables + "-rollup-1d";
    long asOf = NOW.toEpochMilli();
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      coverage.upgrade();
      coverage.add(
          List.of(
              CoverageWindow.of("1d", START, START + DAYS * DAY, "w", days, asOf, "*", "a verify")),
          Map.of(days, coverage.mark(days)),
          asOf);
      coverage.raise(
          new CoverageFloor(
              CoverageFloor.RAW,
              "tiers",
              START + DAY,
              "app.*,!app.debug.*",
              "a proof",
              (START + DAYS * DAY) * 1000),
          NOW.toEpochMilli());
    } catch (CoverageRefusedException e) {
      throw new IllegalStateException(e);
    }
    List<byte[]> gone = rows("app.a", START, START + DAY);
    for (byte[] row : gone) {
      hbase.deleteRow(data, row);
    }
    Await.until(
        "a put counts after the delete",
        LONG,
        () -> {
          hbase.putCells(data, List.of(cell(gone.get(0), "0010", "05")));
          return rows("app.a", START, START + DAY).size() == 1;
        });
    snapshots("gone");
    requireDays(prove("gone", "--coverage-table=" + table), 2, 2, 0, 0, 0);
    assertThat(proofs()).hasSize(3);
    JobRun below = prove("gone", "--day=2025-11-18", "--coverage-table=" + table);
    requireDays(below, 1, 0, 1, 0, 0);

    // A wider entry has metrics whose raw data are all there.
    policy = "[{\"match\":\"*\",\"raw\":\"3d\"}]";
    requireDays(prove("gone", "--coverage-table=" + table), 1, 1, 0, 0, 0);
    JsonNode proof = proofs().get("2025-11-18T00:00:00Z *");
    assertThat(proof.get("metrics")).hasSize(2);
    for (String uid : List.of("000002", "000003")) {
      assertThat(proof.at("/metrics/" + uid + "/rows").intValue()).isEqualTo(24 * SERIES);
    }
    assertThat(proof.get("kept").toString()).isEqualTo("{\"belowFloor\":1}");
    assertThat(proof.at("/verify/compared").intValue()).isEqualTo(2 * (24 + 1) * SERIES);
    policy = POLICY;

    JobRun unknown = prove("gone");
    requireDays(unknown, 3, 0, 2, 1, 0);
    assertThat(unknown.out())
        .contains("app.*: refused: of 75 rollups 0 are missing, 73 are extra, 2 are different");
  }

  /** Hours go once their days equal them; days, once the hours are gone. */
  private void rollupTablesAreProven() throws IOException {
    String coverage = "--coverage-table=" + tables + "-coverage";
    policy = TIERS;
    JobRun unknown = prove("gone", "--table=1h");
    assertThat(unknown.exitCode()).as(unknown::everything).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("--table 1h must have --coverage-table to be proven");
    requireDays(prove("gone", "--table=1h", coverage), 1, 1, 0, 0, 0);
    JsonNode proof = proofs("1h").get("2025-11-18T00:00:00Z app.*");
    assertThat(proof.get("table").textValue()).isEqualTo("1h");
    assertThat(proof.get("to").textValue()).isEqualTo("2025-11-19T00:00:00Z");
    assertThat(proof.at("/data/table").textValue()).isEqualTo(tables + "-rollup-1h");
    assertThat(proof.get("rollups").fieldNames()).toIterable().containsExactly("1d");
    assertThat(proof.get("metrics").toString())
        .isEqualTo(
            "{\"000001\":{\"rows\":%s,\"annotatedRows\":0,\"points\":%s}}"
                .formatted(SERIES, SERIES * 24 * 4));
    assertThat(proof.get("kept")).isEmpty();
    assertThat(proof.at("/verify/compared").intValue()).isEqualTo(SERIES);
    assertThat(proof.at("/verify/equal").intValue()).isEqualTo(SERIES);
    // All tables of the policy; the proofs of raw data are of another one, which apply refuses.
    requireDays(prove("gone", coverage), 3, 2, 1, 0, 0);
    requireDays(prove("gone", coverage), 3, 0, 3, 0, 0);
    // Raw data of the next day are still there.
    JobRun above =
        prove(
            "gone",
            "gone",
            "gone",
            NOW.plusSeconds(DAY),
            "--table=1h",
            "--day=2025-11-19",
            coverage);
    requireDays(above, 1, 0, 0, 0, 0, 1);
    assertThat(above.out())
        .contains(
            "1h of app.*: waiting: the floor of raw must be 2025-11-20T00:00:00Z or later before");

    List<byte[]> series = new ArrayList<>();
    List<double[]> good = new ArrayList<>();
    for (byte[] row : rows("app.a", tables + "-rollup-1d", 0, START)) {
      series.add(row);
      good.add(day(row));
    }
    assertThat(series).hasSize(SERIES);
    store(series.get(0), with(good.get(0), 0, good.get(0)[0] * (1 + 1e-6)));
    store(series.get(1));
    byte[] extra = unused(series.get(0), 77);
    store(extra, 1, 1, 1, 1);
    requireRefused("spoilt", "of 4 rollups 1 are missing, 1 are extra, 1 are different", coverage);
    // Refused hours, whose days are older, hold back no raw data.
    requireDays(prove("spoilt", "--max-days=1", coverage), 3, 1, 0, 1, 1);
    store(series.get(0), with(good.get(0), 1, good.get(0)[1] - 1));
    store(series.get(1), with(good.get(1), 2, good.get(1)[2] + 1));
    store(series.get(2), with(good.get(2), 3, good.get(2)[3] + 1));
    store(extra);
    requireRefused("by-one", "of 3 rollups 0 are missing, 0 are extra, 3 are different", coverage);
    for (int i = 0; i < SERIES; i++) {
      store(series.get(i), with(good.get(i), 0, good.get(i)[0] * (1 + 1e-12)));
    }

    // Of an aggregator that no rollup of the suite has.
    hbase.putCells(tables + "-rollup-1d", List.of(cell(series.get(2), "090000", "01")));
    snapshots("last");
    requireDays(prove("last", "--table=1h", coverage), 1, 1, 0, 0, 0);
    Instant later = Instant.ofEpochSecond(NEXT_YEAR + 60 * DAY);
    JobRun hours = prove("last", "last", "last", later, "--table=1d", coverage);
    requireDays(hours, 1, 0, 0, 0, 0, 1);
    assertThat(hours.out()).contains("1d of app.*: waiting: the floor of 1h must be 2026-01-01");
    try (CoverageTable table = new CoverageTable(hbase.connection(), tables + "-coverage")) {
      String metrics = "app.*,!app.debug.*";
      long now = later.toEpochMilli();
      table.raise(new CoverageFloor("1h", "t", NEXT_YEAR, metrics, "a proof", now), now);
    } catch (CoverageRefusedException e) {
      throw new IllegalStateException(e);
    }
    JobRun last = prove("last", "last", "last", later, "--table=1d", coverage);
    requireDays(last, 1, 1, 0, 0, 0);
    assertThat(last.out())
        .contains(
            "1d of app.*: proven: 2 rows of 32 cells may go, nothing coarser is kept; rows kept: 1"
                + " unknown columns");
    JsonNode year = proofs("1d").get("2025-01-01T00:00:00Z app.*");
    assertThat(year.get("to").textValue()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(year.get("rollups")).isEmpty();
    assertThat(year.at("/verify/compared").intValue()).isZero();

    // The hours are below their own floor, but those of the year's rest may be hidden.
    String window = "window/1d/%010d/w".formatted(START);
    hbase.deleteRow(tables + "-coverage", window.getBytes(StandardCharsets.US_ASCII));
    policy = TIERS.replace("app.*", "web.*");
    floor("web.*", later);
    JobRun uncovered =
        prove("last", "last", "last", later, "--table=1h", "--day=2025-11-18", coverage);
    requireDays(uncovered, 1, 0, 0, 1, 0);
    assertThat(uncovered.out())
        .contains(
            "1h of web.*: refused: the coverage table must prove the rollups of 1d, found that it"
                + " does not for web.a");
    policy = POLICY;
  }

  private void requireRefused(String snapshots, String differences, String coverage)
      throws IOException {
    snapshots(snapshots);
    JobRun run = prove(snapshots, "--table=1h", coverage);
    requireDays(run, 1, 0, 0, 1, 0);
    assertThat(run.out())
        .contains("1h of app.*: refused: " + differences, "app.a{host=", "the rollups of 1h make");
    assertThat(proofs("1h")).isEmpty();
  }

  private void floor(String metrics, Instant now) throws IOException {
    try (CoverageTable table = new CoverageTable(hbase.connection(), tables + "-coverage")) {
      table.raise(
          new CoverageFloor(
              CoverageFloor.RAW, "more", START + DAY, metrics, "a proof", now.toEpochMilli()),
          now.toEpochMilli());
    } catch (CoverageRefusedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double[] with(double[] values, int place, double value) {
    double[] changed = values.clone();
    changed[place] = value;
    return changed;
  }

  /** The cells of the first day in a row of 1d. */
  private List<RawCell> dayCells(byte[] row) throws IOException {
    int offset = (int) ((START - keys.baseTime(row, 0)) / DAY);
    List<RawCell> cells = new ArrayList<>();
    for (RawCell cell : hbase.cells(tables + "-rollup-1d")) {
      if (Arrays.equals(cell.row(), row) && RollupCell.offset(cell.qualifier(), 0) == offset) {
        cells.add(cell);
      }
    }
    return cells;
  }

  /** Sum, minimum, maximum, count. */
  private double[] day(byte[] row) throws IOException {
    double[] values = new double[4];
    for (RawCell cell : dayCells(row)) {
      byte[] column = cell.qualifier();
      byte[] value = cell.value();
      values[AGGREGATORS.indexOf(RollupCell.aggregatorId(column, 0))] =
          RollupCell.decode(column, 0, value, 0, value.length);
    }
    return values;
  }

  /** Stores sum, minimum, maximum and count instead; without values nothing. */
  private void store(byte[] row, double... values) throws IOException {
    String table = tables + "-rollup-1d";
    int offset = (int) ((START - keys.baseTime(row, 0)) / DAY);
    for (RawCell cell : dayCells(row)) {
      hbase.deleteCell(table, row, "t", cell.qualifier());
    }
    List<RawCell> cells = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      byte[] column = RollupCell.doubleQualifier(AGGREGATORS.get(i), offset);
      byte[] value = RollupCell.doubleValue(values[i]);
      cells.add(new RawCell(row, "t", column, Long.MAX_VALUE, value));
    }
    Await.until(
        "puts count after the deletes",
        LONG,
        () -> {
          hbase.putCells(table, cells);
          return dayCells(row).size() == values.length;
        });
  }

  /** A row of the second day moves to another bucket, as if the number of buckets had changed. */
  private void rowsOfFormerBucketsNeedAnyBucket() throws IOException {
    String data = tables + "-data";
    byte[] row = rows("app.a", START + DAY, START + 2 * DAY).get(5);
    byte[] moved = row.clone();
    moved[0] = (byte) ((row[0] + 1) % 5);
    List<RawCell> cells = new ArrayList<>();
    for (RawCell cell : hbase.cells(data)) {
      if (Arrays.equals(cell.row(), row)) {
        cells.add(new RawCell(moved, "t", cell.qualifier(), cell.timestamp(), cell.value()));
      }
    }
    hbase.deleteRow(data, row);
    hbase.putCells(data, cells);
    snapshots("moved");
    JobRun refused = prove("moved", "--day=2025-11-19");
    requireDays(refused, 1, 0, 0, 1, 0);
    assertThat(refused.out()).contains("in another salt bucket", "--any-bucket");
    requireDays(prove("moved", "--day=2025-11-19", "--any-bucket"), 1, 1, 0, 0, 0);
    JsonNode proof = proofs().get("2025-11-19T00:00:00Z app.*");
    assertThat(proof.get("anyBucket").booleanValue()).isTrue();
    assertThat(proof.at("/metrics/000001/rows").intValue()).isEqualTo(24 * SERIES);

    // A row of no series: a tag key and a part of a tag value.
    byte[] broken = Arrays.copyOf(row, row.length - 2);
    hbase.putCells(data, List.of(cell(broken, "0000", "01")));
    snapshots("broken");
    JobRun failed = prove("broken", "--day=2025-11-19", "--any-bucket");
    requireDays(failed, 1, 0, 0, 1, 0);
    assertThat(failed.out()).contains("1 row failed, 0 are allowed (--max-failed-rows)");
    assertThat(proofs()).doesNotContainKey("2025-11-19T00:00:00Z app.*");
    requireDays(
        prove("broken", "--day=2025-11-19", "--any-bucket", "--max-failed-rows=1"), 1, 1, 0, 0, 0);
    proof = proofs().get("2025-11-19T00:00:00Z app.*");
    assertThat(proof.get("kept").toString()).isEqualTo("{\"failed\":1}");
    assertThat(proof.at("/metrics/000001/rows").intValue()).isEqualTo(24 * SERIES);
  }
}
