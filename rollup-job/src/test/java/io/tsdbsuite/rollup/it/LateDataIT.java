package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Points that are written late into 3 of 10,000 old rows, another of which is deleted: these are
 * found, rolled up again, and nothing else is; so is one with a late histogram. A border between
 * regions cuts a day. All tables are in a namespace.
 */
class LateDataIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = SmallData.START;
  private static final int HOURS = 100;
  private static final int SERIES = 100;

  /** The first run ends here, the second one begins. */
  private static final long NOW = START + HOURS * HOUR;

  private static final String METRIC = "late.m";
  private static final String TABLES = "nights:late";
  private static final String DATA = TABLES + "-data";
  private static final String ROLLUPS = TABLES + "-r";
  private static final RollupKey FIRST = key(7, START + 5 * HOUR);
  private static final RollupKey SECOND = key(20, START + 37 * HOUR);
  private static final RollupKey THIRD = key(21, START + 38 * HOUR);
  private static final RollupKey DELETED = key(50, START + 60 * HOUR);

  /** All rows of a day of a series are deleted. */
  private static final RollupKey DELETED_DAY = key(51, START + 2 * DAY);

  /** One of two points of an hour is deleted; its 10 minutes get a histogram instead. */
  private static final RollupKey THINNED = key(60, START + 10 * HOUR);

  /** A late histogram of a half hour without points. */
  private static final RollupKey HISTOGRAM = key(80, START + 30 * HOUR);

  private static final int CHANGED = 4 + 24 + 1 + 1;

  /** Late points with timestamps from before the first snapshot: of another cluster, of a file. */
  private static final RollupKey REPLICATED = key(70, START + 20 * HOUR);

  private static final RollupKey BULK_LOADED = key(71, START + 21 * HOUR);

  /** The number of the aggregator. */
  private static final int SUM = 0;

  private static final byte[] FAMILY = {'t'};
  private static final byte[] HALF_PAST = HexFormat.of().parseHex("708f");
  private static final byte[] VALUE = ByteBuffer.allocate(8).putDouble(0, 4.5).array();

  private static final Map<String, SortedMap<RollupKey, RollupValues>> ANSWERS = new HashMap<>();
  private static Path configFile;

  /** The same with codecs of histograms. */
  private static Path codecsFile;

  private static Path rollupConfig;
  private static Path firstReport;
  private static byte[] firstRow;
  private static String deletedRow;
  private static List<byte[]> deletedRows;

  private static RollupKey key(int host, long time) {
    return new RollupKey(METRIC, new TreeMap<>(tags(host)), time);
  }

  private static Map<String, String> tags(int host) {
    return Map.of("host", String.format(Locale.ROOT, "h%02d", host));
  }

  @BeforeAll
  static void makeData() throws Exception {
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    Map<String, String> conf = CorrectnessIT.conf(TABLES);
    byte[] cut = HexFormat.of().parseHex(String.format("000001%08x", START + 36 * HOUR));
    stack.create(OpenTsdbTables.of(conf).splits(List.of(cut)));
    TsdServer tsd = stack.startTsd("late", conf);
    configFile = tsd.configFile();
    rollupConfig = TestFiles.rollupConfig(TestFiles.directory("late"));
    codecsFile =
        Files.writeString(
            rollupConfig.resolveSibling("codecs.conf"),
            Files.readString(configFile)
                + System.lineSeparator()
                + "tsd.core.histograms.config = "
                + TsdServer.SKETCH_CONFIG);
    List<DataPoint> points = new ArrayList<>();
    for (long time = START; time < NOW; time += HOUR) {
      for (int host = 0; host < SERIES; host++) {
        points.add(new DataPoint(METRIC, time + host, host + 0.5, tags(host)));
      }
    }
    points.add(new DataPoint(METRIC, THINNED.timestamp() + 2000, 0.25, THINNED.tags()));
    tsd.client().put(points, 5000);
    hbase.snapshot(DATA, "late-data-1");
    hbase.snapshot(TABLES + "-uid", "late-uids");
    JobRun first = run("late-data-1", "--from=" + (NOW - 4 * HOUR), "--to=" + NOW);
    assertThat(first.exitCode()).as(first::everything).isEqualTo(ExitCode.DONE);
    firstReport = first.report();

    points.clear();
    for (RollupKey late : List.of(FIRST, SECOND, THIRD)) {
      points.add(new DataPoint(METRIC, late.timestamp() + 3000, 1000L, late.tags()));
    }
    for (int host = 0; host < SERIES; host++) {
      points.add(new DataPoint(METRIC, NOW + host, (long) host, tags(host)));
    }
    tsd.client().put(points, 5000);
    firstRow = row(tsd, FIRST);
    delete(hbase, tsd);
    thin(hbase, tsd);
    hbase.putCells(
        DATA, List.of(new RawCell(row(tsd, REPLICATED), "t", HALF_PAST, START * 1000, VALUE)));
    Sketch sketch = new Sketch();
    sketch.add(7);
    byte[] cell = Bytes.add(new byte[] {43}, sketch.bytes());
    byte[] column = HexFormat.of().parseHex("060708");
    for (RollupKey hour : List.of(HISTOGRAM, THINNED)) {
      hbase.putCells(DATA, List.of(new RawCell(row(tsd, hour), "t", column, Long.MAX_VALUE, cell)));
    }
    bulkLoad(hbase, row(tsd, BULK_LOADED));
    hbase.snapshot(DATA, "late-data-2");
    TsdOracle oracle = new TsdOracle(tsd.client());
    long end = (NOW / DAY + 1) * DAY;
    for (String interval : List.of("1h", "1d")) {
      ANSWERS.put(interval, oracle.rollups(METRIC, START, end, interval));
    }
    tsd.stop();
    expireAfter(hbase, (int) DAY);
    hbase.snapshot(DATA, "late-data-3");
    // Else the compaction would take the HFile that was loaded for expired, and drop it.
    expireAfter(hbase, HConstants.FOREVER);
    byte[] inFirst = firstRow.clone();
    ByteBuffer.wrap(inFirst).putInt(3, (int) (START + 18 * HOUR));
    hbase.split(DATA, inFirst);
    compact(hbase);
    hbase.snapshot(DATA, "late-data-4");
  }

  /** What the region servers of {@link SharedStack} do else not do. */
  private static void compact(HBaseServer hbase) throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.compactionSwitch(true, List.of());
      try {
        hbase.majorCompact(DATA);
      } finally {
        admin.compactionSwitch(false, List.of());
      }
    }
  }

  /** The cells are of today; by their times all points are older. */
  private static void expireAfter(HBaseServer hbase, int seconds) throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableDescriptor table = admin.getDescriptor(TableName.valueOf(DATA));
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(table)
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamilies()[0])
                      .setTimeToLive(seconds)
                      .build())
              .build());
    }
  }

  private static void delete(HBaseServer hbase, TsdServer tsd) throws Exception {
    deletedRows = new ArrayList<>(List.of(row(tsd, DELETED)));
    deletedRow = HexFormat.of().withUpperCase().formatHex(deletedRows.get(0));
    byte[] first = row(tsd, DELETED_DAY);
    for (int hour = 0; hour < 24; hour++) {
      byte[] row = first.clone();
      ByteBuffer.wrap(row).putInt(3, (int) (DELETED_DAY.timestamp() + hour * HOUR));
      deletedRows.add(row);
    }
    for (byte[] row : deletedRows) {
      hbase.deleteRow(DATA, row);
    }
  }

  private static void bulkLoad(HBaseServer hbase, byte[] row) throws Exception {
    TableName table = TableName.valueOf(DATA);
    Configuration conf = hbase.clientConfiguration();
    String dir = TestFiles.directory("late-bulk").toUri().toString();
    try (HFileDir files = new HFileDir(conf, dir, "t", "late");
        RegionHFiles hfiles =
            new RegionHFiles(
                files,
                "w",
                TableLayout.read(hbase.connection(), table, FAMILY),
                Long.MAX_VALUE,
                InstantSource.system())) {
      hfiles.append(List.of(new KeyValue(row, FAMILY, HALF_PAST, START * 1000, VALUE)));
      hfiles.end();
      assertThat(new HFileLoader(conf, table, FAMILY).load(files).cells()).isEqualTo(1);
    }
  }

  private static void thin(HBaseServer hbase, TsdServer tsd) throws Exception {
    byte[] row = row(tsd, THINNED);
    byte[] last =
        hbase.cells(DATA).stream()
            .filter(cell -> Arrays.equals(cell.row(), row))
            .map(RawCell::qualifier)
            .max(Arrays::compareUnsigned)
            .orElseThrow();
    hbase.deleteCell(DATA, row, "t", last);
  }

  private static byte[] row(TsdServer tsd, RollupKey hour) {
    String tsuid =
        tsd.client()
            .query(QuerySpec.of(METRIC, hour.timestamp(), NOW).tag("host", hour.tags().get("host")))
            .get(0)
            .tsuids()
            .get(0);
    byte[] series = HexFormat.of().parseHex(tsuid);
    byte[] pairs = new byte[series.length - 3];
    System.arraycopy(series, 3, pairs, 0, pairs.length);
    return new RowKey(StorageSchema.defaults())
        .encode(new byte[] {series[0], series[1], series[2]}, hour.timestamp(), pairs);
  }

  private static JobRun run(String snapshot, String... more) {
    return new JobRun(TestFiles.directory("late"))
        .json()
        .with(input(snapshot, configFile, rollupConfig))
        .with("--uid-snapshot=late-uids")
        .with(more)
        .run();
  }

  private static String[] input(String snapshot, Path config, Path rollups) {
    return new String[] {
      "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
      "--data-snapshot=" + snapshot,
      "--tsd-config=" + config,
      "--rollup-config=" + rollups
    };
  }

  private static SortedMap<RollupKey, RollupValues> answers(
      String interval, Predicate<RollupKey> wanted) {
    SortedMap<RollupKey, RollupValues> some = new TreeMap<>(ANSWERS.get(interval));
    some.keySet().removeIf(wanted.negate());
    return some;
  }

  @Test
  void exactlyTheseHours() throws Exception {
    JobRun run =
        run(
            "late-data-2",
            "--from=" + NOW,
            "--to=" + (NOW + HOUR),
            "--since-report=" + firstReport,
            "--changed-margin=0s");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    Set<RollupKey> late = Set.of(FIRST, SECOND, THIRD, THINNED, REPLICATED, BULK_LOADED, HISTOGRAM);
    assertThat(
            RollupDiff.of(
                answers("1h", key -> key.timestamp() >= NOW || late.contains(key)), run.rollups()))
        .isEmpty();
    assertThat(run.rollups().get(FIRST).count()).isEqualTo(2);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(SERIES + 7);
    assertThat(report.at("/input/changedRows").asText()).isEqualTo(Integer.toString(CHANGED + 2));
    // One old file and one new file in each region, and the one that was loaded.
    assertThat(report.at("/input/filesOlder").asText()).isEqualTo("2");
    assertThat(report.at("/input/filesSearched").asText()).isEqualTo("3");
    assertThat(report.at("/input/filesNewAsAWhole").asText()).isEqualTo("3");
    Set<RollupKey> gone = new TreeSet<>(Set.of(DELETED));
    for (int hour = 0; hour < 24; hour++) {
      gone.add(key(51, DELETED_DAY.timestamp() + hour * HOUR));
    }
    assertThat(takenBack(run)).containsExactlyElementsOf(gone);
    assertThat(report.at("/rows/takenBack").intValue()).isEqualTo(25);
    assertThat(report.at("/rows/vanished").intValue()).isZero();
    assertThat(report.get("rollupsTakenBack").intValue()).isEqualTo(25);
    assertThat(report.get("warnings").toString()).doesNotContain("lost their last point");
    assertThat(run.lines())
        .allMatch(line -> line.contains("\"interval\":\"1h\",\"asOf\":" + asOf(report) + ",\""));
  }

  private static long asOf(JsonNode report) {
    assertThat(report.at("/input/asOf")).isEqualTo(report.at("/input/dataSnapshotTime"));
    return Instant.parse(report.at("/input/asOf").asText()).toEpochMilli();
  }

  private static List<RollupKey> takenBack(JobRun run) throws IOException {
    RollupMessages messages = new RollupMessages();
    run.lines().forEach(line -> messages.add(line.getBytes(StandardCharsets.UTF_8)));
    return messages.takenBack().stream().sorted().toList();
  }

  /** Messages of that format cannot delete stale rollups, so the run must report them. */
  @Test
  void aggregatesThatStayEndTheRunWithOne() throws Exception {
    RollupTopic topic = RollupTopic.create("late-aggregates");
    JobRun run = aggregates(topic);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("25 rows before the window have lost their last point");
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/vanished").intValue()).isEqualTo(25);
    List<String> rows = new ArrayList<>();
    report.get("vanishedRows").forEach(row -> rows.add(row.asText()));
    assertThat(rows).contains("row " + deletedRow);
    JobRun allowed = aggregates(topic, "--allow-lost");
    assertThat(allowed.exitCode()).as(allowed::everything).isEqualTo(ExitCode.DONE);
    assertThat(allowed.reportJson().get("warnings").toString())
        .contains("25 rows before the window have lost their last point");
  }

  private static JobRun aggregates(RollupTopic topic, String... more) throws Exception {
    return new JobRun(TestFiles.directory("late"))
        .with(input("late-data-2", configFile, rollupConfig))
        .with("--uid-snapshot=late-uids")
        .with(topic.options())
        .with("--format=aggregate", "--to=" + NOW, "--changed-since=" + dataSnapshotTime())
        .with(more)
        .run();
  }

  /** Stored by HFiles, twice; HBase then has what a run over all that is left would make. */
  @Test
  void filesTakeBackWhatIsStored() throws Exception {
    HBaseServer hbase = SharedStack.get().hbase();
    List<String> intervals = List.of("10m", "1h", "6h", "1d");
    Path config = TestFiles.directory("late").resolve("hfiles.json");
    String plain = RollupStore.config(DATA, ROLLUPS, RollupStore.IDS, intervals);
    List<String> tables = new ArrayList<>();
    intervals.forEach(interval -> tables.addAll(List.of(interval, "h-" + interval)));
    String histograms =
        intervals.stream()
            .map(interval -> "\"%s\":\"%s-h-%s\"".formatted(interval, ROLLUPS, interval))
            .collect(Collectors.joining(","));
    Files.writeString(
        config,
        plain.substring(0, plain.lastIndexOf('}'))
            + ",\"suite\":{\"histograms\":[{\"metrics\":\"late.*\",\"intervals\":\"%s\"}]"
                .formatted(String.join(",", intervals))
            + ",\"histogramTables\":{%s}}}".formatted(histograms));
    try (Admin admin = hbase.connection().getAdmin()) {
      for (String table : tables) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(ROLLUPS + "-" + table))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                .build());
      }
    }
    long end = START + 5 * DAY;
    JobRun first = load("late-data-1", config, "--from=" + START, "--to=" + end);
    JobRun second =
        load(
            "late-data-2",
            config,
            "--to=" + end,
            "--since-report=" + first.report(),
            "--changed-margin=0s");
    JsonNode report = second.reportJson();
    assertThat(report.at("/rows/takenBack").intValue()).isEqualTo(25);
    // One day with its four buckets of 6h, 25 hours and their 10 minutes, and those of hours that
    // have points at other minutes.
    assertThat(report.get("rollupsTakenBack").intValue())
        .isEqualTo(1 + 4 + 25 + 25 * 6 + 5 * 4 + 4 + 4 + SERIES * 5);
    assertThat(report.get("lateHistogramsAlone")).hasToString("{\"10m\":2}");
    for (String table : tables) {
      hbase.snapshot(ROLLUPS + "-" + table, "late-r-" + table);
    }
    String good = tables.stream().map(table -> "late-r-" + table).collect(Collectors.joining(","));
    JobRun verified = verify(config, end, good);
    assertThat(verified.exitCode()).as(verified::everything).isEqualTo(ExitCode.DONE);
    JsonNode compared = verified.reportJson().get("compared");
    int rollups = compared.get("equal").intValue();
    // Two buckets of ten minutes have a late histogram alone, one of them instead of its point;
    // wider ones have it beside points.
    JsonNode levels = compared.get("byInterval");
    assertThat(levels.at("/10m.histogram/equal").intValue())
        .isEqualTo(levels.at("/10m/equal").intValue() + 2);
    assertThat(levels.at("/1d.histogram/equal")).isEqualTo(levels.at("/1d/equal"));
    assertThat(verified.reportJson().get("gaps")).as("sum, min, max and count are equal").isEmpty();
    assertThat(verified.reportJson().get("warnings").toString())
        .contains(
            "0 histograms are too wide to be stored, and 6 lack the points beside their cells, of"
                + " metrics: late.");
    // Most of 10,000 hours, as many 10 minutes, and wider ones.
    assertThat(rollups).isEqualTo(compared.get("fromRawData").intValue()).isGreaterThan(40_000);
    for (RawCell cell : hbase.cells(ROLLUPS + "-1d")) {
      assertThat(cell.timestamp()).isIn(asOf(first.reportJson()), asOf(report));
    }
    falsifyTheSumOfALateHour(hbase);
    hbase.snapshot(ROLLUPS + "-1h", "late-r-1h-bad");
    JobRun bad = verify(config, end, good.replace("late-r-1h", "late-r-1h-bad"));
    assertThat(bad.exitCode()).as(bad::everything).isEqualTo(ExitCode.BAD_INPUT);
    compared = bad.reportJson().get("compared");
    assertThat(compared.get("equal").intValue()).isEqualTo(rollups - 1);
    assertThat(compared.get("different").intValue()).isEqualTo(1);
    assertThat(bad.out())
        .containsPattern(
            "different +late.m\\{host=h07\\} 1h "
                + Instant.ofEpochSecond(FIRST.timestamp())
                + ": sum is 1008.0, raw data");
  }

  private static JobRun verify(Path config, long to, String rollups) {
    return new JobRun(TestFiles.directory("late"))
        .with("verify", "--against-snapshot=" + rollups)
        .with(input("late-data-2", codecsFile, config))
        .with("--uid-snapshot=late-uids")
        .with("--interval=10m,1h,6h,1d", "--from=" + START, "--to=" + to)
        .run();
  }

  /** Of FIRST, whose late point makes the right one 1007.5. */
  private static void falsifyTheSumOfALateHour(HBaseServer hbase) throws IOException {
    byte[] row = firstRow.clone();
    ByteBuffer.wrap(row).putInt(3, (int) (FIRST.timestamp() / DAY * DAY));
    byte[] sum = RollupCell.doubleQualifier(SUM, 5);
    assertThat(hbase.cells(ROLLUPS + "-1h"))
        .anyMatch(cell -> Arrays.equals(cell.row(), row) && Arrays.equals(cell.qualifier(), sum));
    hbase.putCells(
        ROLLUPS + "-1h",
        List.of(new RawCell(row, "t", sum, Long.MAX_VALUE, RollupCell.doubleValue(1008))));
  }

  private static JobRun load(String snapshot, Path config, String... more) throws Exception {
    Path directory = TestFiles.directory("late");
    JobRun run =
        new JobRun(directory)
            .with(input(snapshot, codecsFile, config))
            .with(
                "--uid-snapshot=late-uids",
                "--interval=10m,1h,6h,1d",
                "--sink=hfile",
                "--hfile-dir=" + directory.resolve("hfiles").toUri())
            .with(more)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    LoadRun load =
        LoadRun.of(LoadRun.runDirectory(directory), codecsFile, "--rollup-config=" + config);
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    assertThat(load.reportJson().get("booksClose").booleanValue()).isTrue();
    return run;
  }

  @Test
  void theWholeDaysOfTheseSeries() throws Exception {
    long day = START + 4 * DAY;
    JobRun run =
        run(
            "late-data-2",
            "--to=" + day,
            "--changed-since=" + dataSnapshotTime(),
            "--interval=1h,1d",
            "--partition-size=0.1");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    Set<RollupKey> days = new HashSet<>();
    for (RollupKey late : List.of(FIRST, SECOND, THIRD, DELETED, THINNED, BULK_LOADED, HISTOGRAM)) {
      days.add(new RollupKey(METRIC, late.tags(), late.timestamp() / DAY * DAY));
    }
    assertThat(RollupDiff.of(answers("1d", days::contains), run.rollups("1d"))).isEmpty();
    assertThat(
            RollupDiff.of(
                answers(
                    "1h",
                    key ->
                        days.contains(
                            new RollupKey(METRIC, key.tags(), key.timestamp() / DAY * DAY))),
                run.rollups("1h")))
        .isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(7 * 24 - 1);
    assertThat(report.at("/days/emitted").intValue()).isEqualTo(7);
    assertThat(report.at("/rows/takenBack").intValue()).isEqualTo(25);
    assertThat(report.get("rollupsTakenBack").intValue()).isEqualTo(25 + 1);
    assertThat(takenBack(run)).contains(DELETED_DAY, DELETED);
    assertThat(report.get("booksClose").booleanValue()).isTrue();
  }

  @Test
  void whatMayHaveExpiredStaysAsItIs() throws Exception {
    JobRun run = run("late-data-3", "--to=" + NOW, "--changed-since=" + dataSnapshotTime());
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.at("/input/changedRows").asText()).isEqualTo("0");
    assertThat(report.at("/input/changedRowsExpired").asText())
        .isEqualTo(Integer.toString(CHANGED + 1));
    assertThat(report.at("/rows/read").intValue()).isZero();
    assertThat(report.get("warnings").toString())
        .contains(CHANGED + 1 + " changed rows begin before", "the table's TTL");
  }

  /** Its rows are in files with older ones, and its timestamps say nothing. */
  @Test
  void aBulkLoadThatWasCompactedSinceIsRefused() throws Exception {
    String[] since = {"--to=" + NOW, "--since-report=" + firstReport};
    JobRun run = run("late-data-4", since);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .containsPattern(
            "1 HFiles were bulk loaded since the earlier snapshot and compacted with others before"
                + " this one, so the changed rows cannot be identified; the first file is"
                + " [0-9a-f]{32}_SeqId_\\d+_: roll up the loaded days with --from and --to, then"
                + " repeat this run with --allow-lost");
    assertThat(run.reportJson().at("/rows/read").intValue()).isZero();
    assertThat(run.reportJson().at("/rollups").intValue()).isZero();
    JobRun allowed = run("late-data-4", since[0], since[1], "--allow-lost");
    assertThat(allowed.exitCode()).as(allowed::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = allowed.reportJson();
    assertThat(report.get("warnings").toString())
        .contains("so the changed rows cannot be identified");
    assertThat(report.at("/input/filesCompacted").asText()).isEqualTo("3");
  }

  /** Of a region that was split HBase tells the compacted files by names of links to them. */
  @Test
  void aBulkLoadThatTheEarlierSnapshotHasMayBeCompacted() throws Exception {
    JobRun earlier = run("late-data-3", "--to=" + NOW, "--changed-since=" + dataSnapshotTime());
    assertThat(earlier.exitCode()).as(earlier::everything).isEqualTo(ExitCode.DONE);
    JobRun run = run("late-data-4", "--to=" + NOW, "--since-report=" + earlier.report());
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.reportJson().at("/input/filesCompacted").asText()).isEqualTo("3");
  }

  private static String dataSnapshotTime() throws Exception {
    return new ObjectMapper().readTree(firstReport.toFile()).at("/input/dataSnapshotTime").asText();
  }

  @Test
  void limitsAndWrongUse() {
    JobRun many =
        run("late-data-2", "--to=" + NOW, "--changed-since=2025-01-01", "--max-changed-rows=9999");
    assertThat(many.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(many.err()).contains("more than 9999 rows before the window have changed");
    JobRun gap =
        run(
            "late-data-2",
            "--from=" + (NOW + HOUR),
            "--to=" + (NOW + 2 * HOUR),
            "--since-report=" + firstReport,
            "--metrics=late.*",
            "--interval=10m");
    assertThat(gap.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(gap.err())
        .contains(
            "where this one begins (" + Instant.ofEpochSecond(NOW + HOUR) + ") or later",
            "found one that ends at " + Instant.ofEpochSecond(NOW),
            "must be of a run with --interval '10m', found '1h'",
            "must be of a run with --metrics 'late.*', found ''");
    JobRun future = run("late-data-2", "--to=" + NOW, "--changed-since=2100-01-01");
    assertThat(future.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(future.err()).contains("must be before the snapshot was taken");
    JobRun other =
        new JobRun(TestFiles.directory("late"))
            .json()
            .with(SmallData.get().input(SharedStack.get().hbase().rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--since-report=" + firstReport)
            .with("--tsd.storage.hbase.uid_table=" + TABLES + "-uid")
            .run();
    assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("it read " + DATA, "is of small-data");
  }
}
