package io.tsdbsuite.rollup.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.packed.PlainRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A year of rollups of 1h and 1d, of one metric with p99 and first, as the job and a load store
 * them, and their packed rows in parts of several times: they are equal; then rollups are wrong in
 * each way.
 */
class VerifyPackedIT {
  private static final String NAME = "verify-packed";
  private static final String COVERAGE = NAME + "-coverage";
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** 2024-11-19T00:00:00Z. */
  private static final long FROM = 1731974400;

  private static final long TO = FROM + 365 * DAY;

  /** What is stored lasts longer than what is compared. */
  private static final long END = TO + 2 * DAY;

  private static final String[] YEAR = SmallData.window(FROM, TO);
  private static final String[] TWO_DAYS = SmallData.window(FROM, FROM + 2 * DAY);

  /** A row of a year, one of a day and one of an hour begin in the middle. */
  private static final String[] NEW_YEAR = SmallData.window(FROM + 42 * DAY, FROM + 44 * DAY);

  /** Of the first day these have points, and no others. */
  private static final List<Integer> FIRST_HOURS = List.of(5, 6, 7);

  private static final List<String> INTERVALS = List.of("1h", "1d");
  private static final List<String> LEVELS = List.of("1h", "1d", "1h.packed", "1d.packed");
  private static final String FURTHER = "m.further";
  private static final List<String> METRICS = List.of(FURTHER, "m.plain");
  private static final int HOSTS = Seed.times(2, 10);
  private static final String BODY =
      "{'sum':0,'count':2,'min':3,'max':4,'p99':8,'first':9},'suite':{'values':["
          + "{'metrics':'m.further','intervals':'1h,1d','aggregators':'p99,first'}]%s}";
  private static final String TABLES = ",'packed':{'1h':'%s','1d':'%s'}";
  private static final String PACKED_HOURS = packedTable("1h");
  private static final String PACKED_DAYS = packedTable("1d");
  private static final String PLAIN = snapshots("plain", "-rollup-1h", "-rollup-1d");
  private static final String GOOD = PLAIN + "," + snapshots("good", "-packed-1h", "-packed-1d");
  private static final String WRONG = PLAIN + "," + snapshots("wrong", "-packed-1h", "-packed-1d");

  private static final HBaseServer HBASE = SharedStack.get().hbase();
  private static final Map<String, String> SERIES = new HashMap<>();
  private static final Map<String, List<Row>> ROWS = new HashMap<>();
  private static final Map<Verdict, List<String>> PLANTED = new EnumMap<>(Verdict.class);
  private static TsdServer tsd;
  private static RowKey keys;
  private static RollupConfig plain;
  private static Path packedConfig;

  /** With the packed table of the other interval. */
  private static Path swappedConfig;

  private static final List<String> CORRUPT = new ArrayList<>();
  private static String corruptQualifier;

  /** When the data snapshot was taken or before, milliseconds since the epoch. */
  private static long covered;

  /**
   * The plain rollups of a row, as a packed row has them.
   *
   * @param kinds by aggregator, that of the four values has an empty name
   */
  private record Row(byte[] key, RollupInterval interval, Map<String, PackedRow> kinds) {
    PackedRow four() {
      return Objects.requireNonNull(kinds.get(""));
    }

    PackedRow further(String aggregator) {
      return Objects.requireNonNull(kinds.get(aggregator));
    }

    PackedRow empty(String kind) {
      return new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow());
    }

    long time(int slot) {
      return keys.baseTime(key, 0) + slot * interval.seconds();
    }

    boolean isCompared(int slot) {
      return time(slot) >= FROM && time(slot) < TO;
    }

    /** The slots that are compared, with values or without. */
    List<Integer> slots(boolean hasValues) {
      return IntStream.range(0, interval.intervalsPerRow())
          .filter(slot -> isCompared(slot) && four().has(slot) == hasValues)
          .boxed()
          .toList();
    }

    String series() {
      return Objects.requireNonNull(SERIES.get(tsuid(key)));
    }

    /** How a sample begins. */
    String at(int slot) {
      return "%s %s.packed %s: "
          .formatted(series(), interval.interval(), Instant.ofEpochSecond(time(slot)));
    }

    /** The four values, as a sample has them. */
    String values(int slot) {
      return "sum=%s min=%s max=%s count=%s"
          .formatted(
              four().value(PackedRow.SUM, slot),
              four().value(PackedRow.MIN, slot),
              four().value(PackedRow.MAX, slot),
              four().count(slot));
    }

    RawCell part(PackedRow of) {
      byte[] value = of.value();
      byte[] qualifier = of.qualifier(key, 0, key.length, value);
      return new RawCell(key, "t", qualifier, of.asOf(), value);
    }
  }

  private static String packedTable(String interval) {
    return NAME + "-packed-" + interval;
  }

  private static String plainTable(String interval) {
    return NAME + "-rollup-" + interval;
  }

  private static String snapshots(String state, String first, String second) {
    return "%s-%s,%s-%s".formatted(NAME + first, state, NAME + second, state);
  }

  private static String config(String packed) {
    return RollupStore.config(NAME + "-data", NAME + "-rollup", BODY.formatted(packed), INTERVALS);
  }

  @BeforeAll
  static void store() throws Exception {
    Random random = Seed.random();
    Path directory = TestFiles.directory(NAME);
    packedConfig =
        Files.writeString(
            directory.resolve("packed.json"), config(TABLES.formatted(PACKED_HOURS, PACKED_DAYS)));
    swappedConfig =
        Files.writeString(
            directory.resolve("swapped.json"), config(TABLES.formatted(PACKED_DAYS, PACKED_HOURS)));
    Map<String, String> conf =
        CorrectnessIT.conf(NAME, "tsd.storage.salt.width", "1", "tsd.storage.salt.buckets", "3");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", config(""));
    plain = RollupConfig.parse(config(""));
    Stack stack = SharedStack.get();
    stack.create(OpenTsdbTables.of(conf).rollup(PACKED_HOURS).rollup(PACKED_DAYS));
    tsd = stack.startTsd(NAME, conf);
    keys = new RowKey(StorageSchema.from(TsdConfig.parse(Files.readString(tsd.configFile()))));
    tsd.client().put(points(random), 3000);
    covered = System.currentTimeMillis();
    HBASE.snapshot(NAME + "-data", NAME + "-data");
    HBASE.snapshot(NAME + "-uid", NAME + "-uid");
    JobRun run =
        new JobRun(directory)
            .with(input())
            .with("--sink=hfile", "--hfile-dir=" + directory.resolve("hfiles").toUri())
            .with(SmallData.window(FROM, END))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    LoadRun load = LoadRun.of(LoadRun.runDirectory(directory), tsd.configFile(), "--no-coverage");
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    cover();
    for (String interval : INTERVALS) {
      HBASE.snapshot(plainTable(interval), plainTable(interval) + "-plain");
      HBASE.snapshot(packedTable(interval), packedTable(interval) + "-empty");
      ROWS.put(interval, rows(interval));
      List<RawCell> parts = new ArrayList<>();
      ROWS.get(interval).forEach(row -> addParts(row, random, parts));
      HBASE.putCells(packedTable(interval), parts);
      HBASE.snapshot(packedTable(interval), packedTable(interval) + "-good");
    }
    readNames();
    plant(random);
    snapshotPacked("wrong");
    corrupt();
    snapshotPacked("corrupt");
  }

  private static void snapshotPacked(String state) throws IOException {
    for (String interval : INTERVALS) {
      HBASE.snapshot(packedTable(interval), packedTable(interval) + "-" + state);
    }
  }

  /** Nine of ten hours have two points. */
  private static List<DataPoint> points(Random random) {
    List<DataPoint> points = new ArrayList<>();
    for (String metric : METRICS) {
      for (int host = 0; host < HOSTS; host++) {
        Map<String, String> tags = Map.of("host", "h" + host);
        for (long hour = FROM; hour < END; hour += HOUR) {
          boolean isOfFirst = FIRST_HOURS.contains((int) ((hour - FROM) / HOUR));
          if (isOfFirst || (hour >= FROM + DAY && random.nextInt(10) > 0)) {
            int second = random.nextInt(1800);
            points.add(new DataPoint(metric, hour + second, random.nextLong(1000), tags));
            double value = Math.round(random.nextGaussian() * 1000) / 100.0;
            points.add(new DataPoint(metric, hour + 1800 + second, value, tags));
          }
        }
      }
    }
    return points;
  }

  private static String[] input() {
    return new String[] {
      "--snapshot-root=" + HBASE.rootDir(),
      "--data-snapshot=" + NAME + "-data",
      "--uid-snapshot=" + NAME + "-uid",
      "--tsd-config=" + tsd.configFile(),
      "--interval=" + String.join(",", INTERVALS)
    };
  }

  /** The rows of a plain table. */
  private static List<Row> rows(String name) throws IOException {
    RollupInterval interval = Objects.requireNonNull(plain.interval(name));
    TreeMap<byte[], List<RawCell>> cells = new TreeMap<>(Arrays::compareUnsigned);
    for (RawCell cell : HBASE.cells(plainTable(name))) {
      // The marker of the coverage is no rollup.
      if (RollupCell.is(cell.qualifier(), 0, cell.qualifier().length)) {
        cells.computeIfAbsent(cell.row(), key -> new ArrayList<>()).add(cell);
      }
    }
    List<Row> rows = new ArrayList<>();
    PlainRow row = new PlainRow(plain, interval);
    cells.forEach(
        (key, of) -> {
          row.clear();
          for (RawCell cell : of) {
            byte[] q = cell.qualifier();
            byte[] value = cell.value();
            assertThat(row.cell(q, 0, q.length, value, 0, value.length, cell.timestamp())).isTrue();
          }
          Map<String, PackedRow> kinds = new LinkedHashMap<>();
          for (String kind : row.kinds()) {
            PackedRow view = new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow());
            row.addTo(view);
            if (!view.isEmpty()) {
              kinds.put(kind, view);
            }
          }
          assertThat(row.problem()).isEmpty();
          rows.add(new Row(key, interval, kinds));
        });
    return rows;
  }

  /**
   * Distributes the slots of a row among two parts, some after older entries that are wrong or
   * without values, and takes back some that have no values.
   */
  private static void addParts(Row row, Random random, List<RawCell> parts) {
    row.kinds()
        .forEach(
            (kind, view) -> {
              List<PackedRow> made = Stream.generate(() -> row.empty(kind)).limit(3).toList();
              PackedRow older = made.get(2);
              for (int slot = 0; slot < row.interval().intervalsPerRow(); slot++) {
                long asOf = view.has(slot) ? view.asOf(slot) : view.asOf();
                int dice = random.nextInt(10);
                if (dice == 0) {
                  put(older, kind, slot, asOf - 5000, random.nextGaussian());
                } else if (dice == 1) {
                  older.takeBack(slot, asOf - 5000);
                }
                if (view.has(slot)) {
                  copy(view, kind, slot, made.get(random.nextInt(2)));
                } else if (dice == 0) {
                  made.get(random.nextInt(2)).takeBack(slot, asOf);
                }
              }
              made.stream().filter(each -> !each.isEmpty()).map(row::part).forEach(parts::add);
            });
  }

  private static void put(PackedRow row, String kind, int slot, long asOf, double value) {
    if (kind.isEmpty()) {
      row.put(slot, asOf, value, value, value, 1);
    } else {
      row.put(slot, asOf, value);
    }
  }

  private static void copy(PackedRow from, String kind, int slot, PackedRow to) {
    if (kind.isEmpty()) {
      to.put(
          slot,
          from.asOf(slot),
          from.value(PackedRow.SUM, slot),
          from.value(PackedRow.MIN, slot),
          from.value(PackedRow.MAX, slot),
          from.count(slot));
    } else {
      to.put(slot, from.asOf(slot), from.value(PackedRow.FURTHER, slot));
    }
  }

  private static String tsuid(byte[] key) {
    return HexFormat.of().formatHex(keys.tsuid(key, 0, key.length));
  }

  private static void readNames() throws IOException {
    Map<String, String> names = new HashMap<>();
    for (RawCell cell : HBASE.cells(NAME + "-uid")) {
      if (cell.family().equals("name")) {
        names.put(
            new String(cell.qualifier(), ISO_8859_1) + HexFormat.of().formatHex(cell.row()),
            new String(cell.value(), ISO_8859_1));
      }
    }
    for (Row row : ROWS.get("1h")) {
      String tsuid = tsuid(row.key());
      SERIES.put(
          tsuid,
          "%s{host=%s}"
              .formatted(
                  names.get("metrics" + tsuid.substring(0, 6)),
                  names.get("tagv" + tsuid.substring(12))));
    }
  }

  /** Adds windows of the year for all levels. */
  private static void cover() throws Exception {
    SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf(NAME)).coverage(COVERAGE));
    long now = System.currentTimeMillis();
    try (CoverageTable table = new CoverageTable(HBASE.connection(), COVERAGE)) {
      table.upgrade(CoverageRows.LEVEL_VERSION);
      List<CoverageWindow> windows = new ArrayList<>();
      Map<String, String> marks = new HashMap<>();
      for (String level : LEVELS) {
        String interval = CoverageRows.interval(level);
        String of = level.equals(interval) ? plainTable(interval) : packedTable(interval);
        marks.put(of, table.mark(of));
        windows.add(CoverageWindow.of(level, FROM, TO, "test", of, covered, "*", "a test"));
      }
      table.add(windows, marks, now);
    }
  }

  private static void expect(Verdict verdict, String text) {
    PLANTED.computeIfAbsent(verdict, any -> new ArrayList<>()).add(text);
  }

  /** Rows of a metric in random order, all of whose slots are compared, some without values. */
  private static Iterator<Row> some(String metric, Random random) {
    List<Row> rows = new ArrayList<>();
    for (Row row : ROWS.get("1h")) {
      if (row.series().startsWith(metric)
          && row.slots(true).size() > FIRST_HOURS.size()
          && !row.slots(false).isEmpty()) {
        rows.add(row);
      }
    }
    Collections.shuffle(rows, random);
    return rows.iterator();
  }

  private static int any(List<Integer> slots, Random random) {
    return slots.get(random.nextInt(slots.size()));
  }

  private static void put(Row row, PackedRow part) throws IOException {
    HBASE.putCells(packedTable(row.interval().interval()), List.of(row.part(part)));
  }

  /** Deletes the parts of the four values of a row. */
  private static void delete(Row row) throws IOException {
    String table = packedTable(row.interval().interval());
    for (RawCell cell : HBASE.cells(table)) {
      if (Arrays.equals(cell.row(), row.key()) && cell.qualifier()[0] == PackedRow.kind("")) {
        HBASE.deleteCell(table, cell.row(), "t", cell.qualifier());
      }
    }
  }

  /** Makes one packed rollup wrong in each way. */
  private static void plant(Random random) throws IOException {
    Iterator<Row> further = some(FURTHER, random);
    Iterator<Row> others = some("m.plain", random);
    wrongFour(further.next(), PackedRow.MAX, random);
    wrongFour(others.next(), PackedRow.COUNT, random);
    Row days = ROWS.get("1d").get(random.nextInt(ROWS.get("1d").size()));
    wrongFour(days, PackedRow.MIN, random);

    Row row = further.next();
    int slot = any(row.slots(true), random);
    PackedRow part = row.empty("p99");
    part.put(slot, newer(row, slot), 54321.5);
    put(row, part);
    expect(
        Verdict.DIFFERENT,
        row.at(slot)
            + "p99 is 54321.5, raw data make "
            + row.further("p99").value(PackedRow.FURTHER, slot));

    row = further.next();
    slot = any(row.slots(true), random);
    part = row.empty("first");
    part.takeBack(slot, newer(row, slot));
    put(row, part);
    expect(
        Verdict.DIFFERENT,
        row.at(slot)
            + "first is not stored, raw data make "
            + row.further("first").value(PackedRow.FURTHER, slot));

    row = others.next();
    slot = any(row.slots(true), random);
    part = row.empty("");
    for (int other : row.slots(true)) {
      if (other != slot) {
        copy(row.four(), "", other, part);
      }
    }
    delete(row);
    put(row, part);
    expect(Verdict.MISSING, row.at(slot) + "nothing is stored, raw data make " + row.values(slot));

    row = others.next();
    slot = any(row.slots(true), random);
    part = row.empty("");
    part.takeBack(slot, newer(row, slot));
    put(row, part);
    expect(Verdict.MISSING, row.at(slot) + "it was taken back, raw data make " + row.values(slot));

    row = others.next();
    slot = any(row.slots(false), random);
    part = row.empty("");
    put(part, "", slot, row.four().asOf() + 1000, 77);
    put(row, part);
    expect(
        Verdict.EXTRA,
        row.at(slot) + "stored is sum=77.0 min=77.0 max=77.0 count=1, raw data make nothing");

    for (Row each : ROWS.get("1d")) {
      part = each.empty("");
      for (int day = 0; day < each.interval().intervalsPerRow(); day++) {
        if (!each.isCompared(day)) {
          put(part, "", day, each.four().asOf() + 1000, 78);
        }
      }
      put(each, part);
    }
  }

  private static long newer(Row row, int slot) {
    return row.four().asOf(slot) + 1000;
  }

  /** Changes one of the four values of one rollup. */
  private static void wrongFour(Row row, int column, Random random) throws IOException {
    int slot = any(row.slots(true), random);
    PackedRow four = row.four();
    double[] values = new double[PackedRow.COUNT];
    for (int i = 0; i < values.length; i++) {
      values[i] = four.value(i, slot) + (i == column ? 0.125 : 0);
    }
    long count = four.count(slot) + (column == PackedRow.COUNT ? 1 : 0);
    PackedRow part = row.empty("");
    part.put(
        slot,
        newer(row, slot),
        values[PackedRow.SUM],
        values[PackedRow.MIN],
        values[PackedRow.MAX],
        count);
    put(row, part);
    expect(
        Verdict.DIFFERENT,
        row.at(slot)
            + (column == PackedRow.COUNT
                ? "count is %s, raw data make %s".formatted(count, four.count(slot))
                : "%s is %s, raw data make %s"
                    .formatted(
                        column == PackedRow.MIN ? "min" : "max",
                        values[column],
                        four.value(column, slot))));
  }

  /** A row with three rollups gets one part, whose crc is wrong, and one in another bucket. */
  private static void corrupt() throws IOException {
    Row row =
        ROWS.get("1h").stream()
            .filter(each -> each.time(0) == FROM && !each.kinds().containsKey("p99"))
            .findFirst()
            .orElseThrow();
    delete(row);
    RawCell part = row.part(row.four());
    byte[] qualifier = part.qualifier().clone();
    qualifier[qualifier.length - 1]++;
    corruptQualifier = HexFormat.of().formatHex(qualifier);
    byte[] otherBucket = row.key().clone();
    otherBucket[0] = (byte) ((otherBucket[0] + 1) % 3);
    HBASE.putCells(
        PACKED_HOURS,
        List.of(
            new RawCell(row.key(), "t", qualifier, part.timestamp(), part.value()),
            new Row(otherBucket, row.interval(), row.kinds()).part(row.four())));
    for (int slot : row.slots(true)) {
      CORRUPT.add(row.at(slot) + "nothing is stored, raw data make " + row.values(slot));
    }
    assertThat(CORRUPT).hasSize(FIRST_HOURS.size());
  }

  private static JobRun verify(String[] window, String... more) {
    return verify(packedConfig, window, more);
  }

  private static JobRun verify(Path config, String[] window, String... more) {
    return new JobRun(TestFiles.directory(NAME))
        .with("verify", "--rollup-config=" + config)
        .with(input())
        .with(window)
        .with(more)
        .run();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  private static JsonNode failed(JobRun run) throws IOException {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    return report;
  }

  private static int rollups(String interval) {
    return ROWS.get(interval).stream().mapToInt(row -> row.slots(true).size()).sum();
  }

  @Test
  void aYearIsEqual() throws Exception {
    JobRun run = verify(YEAR, "--against-snapshot=" + GOOD);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.at("/compared/series").intValue()).isEqualTo(METRICS.size() * HOSTS);
    assertThat(rollups("1h")).isGreaterThan(METRICS.size() * HOSTS * 7000);
    for (String level : LEVELS) {
      int rollups = rollups(CoverageRows.interval(level));
      assertThat(report.at("/compared/byInterval/" + level).toString())
          .as(level)
          .isEqualTo("{\"equal\":%s,\"missing\":0,\"extra\":0,\"different\":0}".formatted(rollups));
    }
    assertThat(report.at("/stored/malformed").intValue()).isZero();
    assertThat(report.get("gaps")).isEmpty();
    assertThat(report.at("/input/rollupTable 1h.packed").textValue()).isEqualTo(PACKED_HOURS);
  }

  @Test
  void eachDifferenceIsNamed() throws Exception {
    JobRun run = verify(YEAR, "--against-snapshot=" + WRONG);
    JsonNode report = failed(run);
    PLANTED.forEach(
        (verdict, samples) -> {
          assertThat(report.at("/compared/" + verdict.key()).intValue())
              .as(run::everything)
              .isEqualTo(samples.size());
          assertThat(texts(report.at("/samples/" + verdict.key())))
              .containsExactlyInAnyOrderElementsOf(samples);
        });
    for (String interval : INTERVALS) {
      assertThat(report.at("/compared/byInterval/" + interval + "/equal").intValue())
          .isEqualTo(rollups(interval));
    }
    assertThat(report.at("/compared/byInterval/1d.packed/different").intValue()).isEqualTo(1);
    assertThat(report.at("/stored/malformed").intValue()).isZero();
  }

  /** Over two days, of which three hours have lost their part. */
  @Test
  void partsThatQueriesRefuseAreMalformed() throws Exception {
    String corrupt = PLAIN + "," + snapshots("corrupt", "-packed-1h", "-packed-1d");
    JsonNode report = failed(verify(TWO_DAYS, "--against-snapshot=" + corrupt));
    assertThat(texts(report.at("/samples/missing"))).containsAll(CORRUPT);
    assertThat(report.at("/stored/malformed").intValue()).isEqualTo(2);
    assertThat(String.join("\n", texts(report.at("/stored/malformedSamples"))))
        .contains(
            "table %s, row ".formatted(PACKED_HOURS),
            "packed cell %s: ".formatted(corruptQualifier),
            "crc must be that of key and value, found ",
            "--any-bucket");
  }

  /** Taken before the parts were stored, as of late data. */
  @Test
  void partsThatCameLaterAreMissing() throws Exception {
    String empty = PLAIN + "," + snapshots("empty", "-packed-1h", "-packed-1d");
    JsonNode report = failed(verify(TWO_DAYS, "--against-snapshot=" + empty));
    JsonNode hours = report.at("/compared/byInterval/1h.packed");
    assertThat(hours.get("missing").intValue())
        .isEqualTo(report.at("/compared/byInterval/1h/equal").intValue())
        .isPositive();
    assertThat(hours.get("equal").intValue()).isZero();
  }

  /** What has rows of 1d is no table of 1h, whatever the configuration says. */
  @Test
  void tablesOfOtherIntervals() throws Exception {
    JobRun run = verify(swappedConfig, NEW_YEAR, "--against-snapshot=" + GOOD);
    JsonNode report = failed(run);
    assertThat(String.join("\n", texts(report.at("/stored/malformedSamples"))))
        .contains("runs must be of slots 0 to 23");
    for (String level : List.of("1h.packed", "1d.packed")) {
      assertThat(report.at("/compared/byInterval/" + level + "/equal").intValue()).isZero();
    }
  }

  @Test
  void nothingIsLeftOutWithoutAWord() throws Exception {
    JobRun lacking = verify(TWO_DAYS, "--against-snapshot=" + PLAIN + "," + PACKED_DAYS + "-good");
    assertThat(lacking.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(lacking.err())
        .contains(
            "must have a snapshot of table %s, which rollup_config.json names for 1h.packed alone"
                .formatted(PACKED_HOURS));
    JobRun run = verify(TWO_DAYS, "--against-tsd=http://127.0.0.1:" + tsd.port());
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.reportJson().get("gaps").toString())
        .contains("the packed rollups of suite.packed were not compared (--against-tsd)");
  }

  /** The plain rollups are proven again; of the packed ones each level has a wrong one. */
  @Test
  void windowsOfWrongPackedRowsGo() throws Exception {
    JobRun run =
        new JobRun(TestFiles.directory(NAME))
            .with("coverage", "verify", "--rollup-config=" + packedConfig)
            .with(input())
            .with(YEAR)
            .with("--against-snapshot=" + WRONG, "--coverage-table=" + COVERAGE)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .contains("proven 1h, ", "proven 1d, ", "; packed rollups are wrong: 7")
        .contains("wrong 1h.packed, ", ": 7 missing, extra or different")
        .contains("wrong 1d.packed, ", ": 1 missing, extra or different");
    try (CoverageTable table = new CoverageTable(HBASE.connection(), COVERAGE)) {
      assertThat(table.windows())
          .extracting(CoverageWindow::interval)
          .containsExactlyInAnyOrder("1h", "1d");
    }
  }
}
