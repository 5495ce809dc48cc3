package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Packed rows in HFiles: they are as the plain ones, or have no window. */
class PackedHFileIT {
  private static final long START = SmallData.START;
  private static final long FROM = SmallData.FROM;
  private static final long TO = SmallData.TO;
  private static final long HOUR = 3600;
  private static final TimeRanges WINDOW = TimeRanges.of(FROM * 1000, TO * 1000);
  private static final byte[] FAMILY = {'t'};
  private static final int P99 = 5;
  private static final int FIRST = 7;

  private final HBaseServer hbase = SharedStack.get().hbase();
  private final RowKey keys = new RowKey(StorageSchema.defaults());

  private static String packedTable(RollupStore store, String interval) {
    return store.name() + "-packed-" + interval;
  }

  /** A configuration with rows of 1d of a month, further aggregators of a.*, and packed tables. */
  private static Path config(RollupStore store, boolean packed, String... intervals)
      throws IOException {
    String ids = RollupStore.IDS.replace("}", ",'p99':" + P99 + ",'first':" + FIRST + "}");
    String config =
        RollupStore.config(SmallData.TABLE, store.name(), ids, List.of(intervals))
            .replace("\"rowSpan\":\"1y\"", "\"rowSpan\":\"1n\"");
    StringBuilder tables = new StringBuilder();
    for (String each : intervals) {
      tables
          .append(tables.length() == 0 ? "" : ",")
          .append("\"%s\":\"%s\"".formatted(each, packedTable(store, each)));
    }
    String suite =
        """
        ,"suite":{"values":[{"metrics":"a.*","intervals":"%s","aggregators":"p99,first"}]%s}}
        """
            .formatted(String.join(",", intervals), packed ? ",\"packed\":{" + tables + "}" : "");
    Path file = TestFiles.directory("packed").resolve("rollup_config.json");
    return Files.writeString(file, config.substring(0, config.length() - 1) + suite);
  }

  private void createCoverage(String table) throws Exception {
    SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("small")).coverage(table));
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      coverage.upgrade(CoverageRows.LEVEL_VERSION);
    }
  }

  private void create(String table, String family) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build(),
          new byte[][] {HexFormat.of().parseHex("000003")});
    }
  }

  private void drop(String table) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.deleteTable(TableName.valueOf(table));
    }
  }

  private void truncate(String table) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.truncateTable(TableName.valueOf(table), true);
    }
  }

  private static JobRun run(RollupStore store, Path config, long from, long to) {
    return store
        .job(TestFiles.directory("hfile"), from, to)
        .with("--rollup-config=" + config, "--uid-snapshot=" + SmallData.UID_SNAPSHOT)
        .run();
  }

  private static JobRun done(RollupStore store, Path config, long from, long to) {
    JobRun run = run(store, config, from, to);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return run;
  }

  private static Path directory(JobRun run) throws IOException {
    return LoadRun.runDirectory(run.report().getParent());
  }

  private static LoadRun load(RollupStore store, Path run, Path config, String... more) {
    String[] options = new String[more.length + 1];
    options[0] = "--rollup-config=" + config;
    System.arraycopy(more, 0, options, 1, more.length);
    return LoadRun.of(run, store.configFile(), options);
  }

  private static JsonNode loaded(RollupStore store, Path run, Path config, String... more)
      throws IOException {
    LoadRun load = load(store, run, config, more);
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    return load.reportJson();
  }

  private TimeRanges proven(RollupStore store, String table, String level, String metric)
      throws IOException {
    String interval = CoverageRows.interval(level);
    try (CoverageTable coverage = new CoverageTable(hbase.connection(), table)) {
      Map<String, String> tables =
          Map.of(
              interval, store.table(interval), interval + ".packed", packedTable(store, interval));
      long width = (interval.equals("1d") ? SmallData.DAY : HOUR) * 1000;
      return coverage.read(tables, System.currentTimeMillis()).proven(level, width, metric);
    }
  }

  /** The key of the row of a rollup. */
  private byte[] key(RollupInterval interval, RollupKey rollup) {
    byte[] key = SmallData.get().row(rollup);
    keys.writeBaseTime(key, interval.baseTime(rollup.timestamp()));
    return key;
  }

  private static int slot(RollupInterval interval, RollupKey rollup) {
    return RollupCell.offset(interval, interval.baseTime(rollup.timestamp()), rollup.timestamp());
  }

  /** The view of a packed row; counts its parts. */
  private PackedRow view(Table table, RollupInterval interval, byte[] key, String kind, int parts)
      throws Exception {
    PackedRow row = new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow());
    int found = 0;
    for (Cell cell : table.get(new Get(key)).rawCells()) {
      byte[] q = CellUtil.cloneQualifier(cell);
      byte[] v = CellUtil.cloneValue(cell);
      if (q[0] == PackedRow.kind(kind)) {
        row.add(key, 0, key.length, q, 0, q.length, v, 0, v.length);
        assertThat(cell.getTimestamp()).isEqualTo(row.asOf());
        found++;
      }
    }
    assertThat(found).isEqualTo(parts);
    return row;
  }

  /**
   * Holds packed rows against what a TSD answers from raw data, and further aggregators against
   * plain cells.
   *
   * @param parts of each row and kind
   */
  private void requireEqual(
      RollupStore store,
      RollupConfig config,
      String name,
      SortedMap<RollupKey, RollupValues> raw,
      int parts)
      throws Exception {
    RollupInterval interval = config.interval(name);
    try (Table plain = hbase.connection().getTable(TableName.valueOf(store.table(name)));
        Table packed = hbase.connection().getTable(TableName.valueOf(packedTable(store, name)))) {
      for (Map.Entry<RollupKey, RollupValues> each : raw.entrySet()) {
        byte[] key = key(interval, each.getKey());
        int slot = slot(interval, each.getKey());
        PackedRow row = view(packed, interval, key, "", parts);
        assertThat(row.has(slot)).as("%s", each.getKey()).isTrue();
        RollupValues values =
            new RollupValues(
                row.value(PackedRow.SUM, slot),
                row.value(PackedRow.MIN, slot),
                row.value(PackedRow.MAX, slot),
                row.count(slot));
        assertThat(values.agreesWith(each.getValue())).as("%s %s", each, values).isTrue();
        boolean hasFurther = each.getKey().metric().startsWith("a.");
        for (Map.Entry<String, Integer> further : Map.of("p99", P99, "first", FIRST).entrySet()) {
          PackedRow of = view(packed, interval, key, further.getKey(), hasFurther ? parts : 0);
          byte[] column = RollupCell.doubleQualifier(further.getValue(), slot);
          byte[] stored = plain.get(new Get(key)).getValue(FAMILY, column);
          assertThat(of.has(slot)).isEqualTo(stored != null).isEqualTo(hasFurther);
          if (hasFurther) {
            assertThat(RollupCell.doubleValue(of.value(PackedRow.FURTHER, slot))).isEqualTo(stored);
          }
        }
      }
    }
  }

  @Test
  void packedRowsAreAsPlainOnes() throws Exception {
    String coverage = "--coverage-table=pk-one-coverage";
    try (RollupStore store = RollupStore.start("pk-one", "1h", "1d")) {
      Path file = config(store, true, "1h", "1d");
      RollupConfig config = RollupConfig.load(file.toString());
      createCoverage("pk-one-coverage");
      JobRun missing = run(store, file, START, FROM);
      assertThat(missing.exitCode()).as(missing::everything).isEqualTo(ExitCode.USAGE);
      assertThat(missing.err()).contains("table pk-one-packed-1h", "must exist");

      create("pk-one-packed-1h", "t");
      create("pk-one-packed-1d", "t");
      // 120 series; those of three metrics have three kinds in both tables.
      long parts = 2 * (120 + 2 * 90);
      for (long from = START; from <= FROM; from += SmallData.DAY) {
        JobRun night = done(store, file, from, from + SmallData.DAY);
        assertThat(night.reportJson().at("/output/packedParts").asLong()).isEqualTo(parts);
        Path run = directory(night);
        JsonNode manifest = new ObjectMapper().readTree(run.resolve("manifest.json").toFile());
        assertThat(manifest.get("format").intValue()).isEqualTo(4);
        assertThat(manifest.get("cells").asLong()).isEqualTo(25 * (4 * 120 + 2 * 90));
        assertThat(manifest.get("tables").findValuesAsText("level"))
            .containsExactly("1h.packed", "1d.packed");
        if (from == START) {
          requireTables(store, run, file, coverage);
        }
        JsonNode report = loaded(store, run, file, coverage);
        assertThat(report.get("booksClose").booleanValue()).isTrue();
        assertThat(report.get("packedParts").asLong()).isEqualTo(parts);
        assertThat(report.at("/coverage/reason").textValue()).isEmpty();
        assertThat(report.get("coverage").has("notes")).as("%s", report).isFalse();
        assertThat(report.at("/coverage/windows").findValuesAsText("interval"))
            .contains("1h.packed", "1d.packed", "1h.p99", "1d");
      }
      TimeRanges both = TimeRanges.of(START * 1000, TO * 1000);
      for (String level : List.of("1h.packed", "1d.packed")) {
        assertThat(proven(store, "pk-one-coverage", level, "a.a")).as(level).isEqualTo(both);
      }
      requireEqual(store, config, "1h", store.rawAnswers("1h", START, TO), 1);
      // A row of a month has a part of each night.
      requireEqual(store, config, "1d", store.rawAnswers("1d", START, TO), 2);

      // Several days at once are one part.
      truncate("pk-one-packed-1d");
      Path window = directory(done(store, file, START, TO));
      JsonNode again = loaded(store, window, file, coverage);
      assertThat(again.get("coverage").has("notes")).as("%s", again).isFalse();
      requireEqual(store, config, "1d", store.rawAnswers("1d", START, TO), 1);
      assertThat(proven(store, "pk-one-coverage", "1d.packed", "a.a")).isEqualTo(both);
    }
  }

  /** What packed tables lack is told at once, before anything is loaded. */
  private void requireTables(RollupStore store, Path run, Path config, String coverage)
      throws IOException {
    drop("pk-one-packed-1h");
    drop("pk-one-packed-1d");
    create("pk-one-packed-1d", "x");
    LoadRun refused = load(store, run, config, coverage);
    assertThat(refused.exitCode()).as(refused::everything).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains("table pk-one-packed-1h must exist")
        .contains("table pk-one-packed-1d must have the column family t");
    assertThat(hbase.cells(store.table("1h"))).isEmpty();
    LoadRun other = load(store, run, config(store, false, "1h", "1d"), coverage);
    assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("must have the interval 1h.packed of the run");
    drop("pk-one-packed-1d");
    create("pk-one-packed-1h", "t");
    create("pk-one-packed-1d", "t");
  }

  /** The row of the first series of a metric on the day. */
  private byte[] row(RollupConfig config, String metric) {
    SortedMap<String, String> tags = new TreeMap<>(Map.of("host", "h0", "dc", "dc0"));
    return key(config.interval("1h"), new RollupKey(metric, tags, FROM));
  }

  private void put(String table, byte[] key, int slot, long asOf, double sum) throws IOException {
    PackedRow row = new PackedRow(PackedRow.kind(""), 24);
    row.put(slot, asOf, sum, 1, 1, 1);
    byte[] value = row.value();
    try (Table packed = hbase.connection().getTable(TableName.valueOf(table))) {
      packed.put(
          new Put(key, asOf).addColumn(FAMILY, row.qualifier(key, 0, key.length, value), value));
    }
  }

  /** As by a repair of a series whose raw points are others. */
  private void putPlain(String table, byte[] key, int slot, long asOf, double sum)
      throws IOException {
    try (Table plain = hbase.connection().getTable(TableName.valueOf(table))) {
      plain.put(
          new Put(key, asOf)
              .addColumn(FAMILY, RollupCell.doubleQualifier(0, slot), RollupCell.doubleValue(sum))
              .addColumn(FAMILY, RollupCell.countQualifier(2, slot), RollupCell.countValue(1))
              .addColumn(FAMILY, RollupCell.doubleQualifier(3, slot), RollupCell.doubleValue(1))
              .addColumn(FAMILY, RollupCell.doubleQualifier(4, slot), RollupCell.doubleValue(1)));
    }
  }

  private static TimeRanges without(int hour) {
    return WINDOW.minus(
        TimeRanges.of((FROM + hour * HOUR) * 1000, (FROM + (hour + 1) * HOUR) * 1000));
  }

  @Test
  void whatDiffersIsNamedAndNotProven() throws Exception {
    String table = "pk-two-coverage";
    String option = "--coverage-table=" + table;
    String packed = "pk-two-packed-1h";
    try (RollupStore store = RollupStore.start("pk-two", "1h")) {
      Path file = config(store, true, "1h");
      RollupConfig config = RollupConfig.load(file.toString());
      createCoverage(table);
      create(packed, "t");
      byte[] repaired = row(config, "a.b");
      Path first = directory(done(store, file, FROM, TO));
      long now = System.currentTimeMillis();
      putPlain(store.table("1h"), repaired, 5, now, 1);
      put(packed, repaired, 5, now, 1);
      JsonNode notCovered = loaded(store, first, file, "--no-coverage");
      assertThat(notCovered.at("/coverage/reason").textValue()).contains("not wanted");
      // A wrong double after the load.
      put(packed, row(config, "a.a"), 3, now, 99.5);
      JsonNode report = loaded(store, first, file, option);
      assertThat(report.at("/coverage/notes")).hasSize(1);
      assertThat(report.at("/coverage/notes/0").textValue())
          .startsWith("1h.packed: 1 slots of packed rows of table " + packed)
          .contains("a.a{dc=dc0,host=h0} at 2025-11-19T03:00:00Z: plain sum ", "packed sum 99.5 ");
      assertThat(report.get("message").textValue())
          .contains("queries do not read these packed rows", "packed sum 99.5 ");
      assertThat(proven(store, table, "1h.packed", "a.a")).isEqualTo(without(3));
      assertThat(proven(store, table, "1h", "a.a")).isEqualTo(WINDOW);
      assertThat(proven(store, table, "1h.packed", "a.b")).as("the repair").isEqualTo(WINDOW);
      assertThat(proven(store, table, "1h", "a.b")).as("of other points").isEqualTo(without(5));
      try (Table rows = hbase.connection().getTable(TableName.valueOf(packed))) {
        PackedRow view = view(rows, config.interval("1h"), repaired, "", 2);
        assertThat(view.value(PackedRow.SUM, 5)).as("newer than the loaded part").isEqualTo(1);
        assertThat(view.asOf(5)).isEqualTo(now);
      }

      truncate(packed);
      assertThat(proven(store, table, "1h.packed", "a.b").isEmpty()).isTrue();
      JobRun night = done(store, file, FROM, TO);
      Path second = directory(night);
      JsonNode unused = loaded(store, second, file, "--no-coverage");
      truncate(packed);
      JsonNode none = loaded(store, second, file, option);
      assertThat(none.at("/coverage/windows").findValuesAsText("interval"))
          .contains("1h", "1h.p99")
          .doesNotContain("1h.packed");
      assertThat(none.at("/coverage/notes/0").textValue()).contains("packed nothing");

      // The rollups again, but one, by other means than a load: as if the files were handed over.
      Path third = directory(done(store, file, FROM, TO));
      unused = loaded(store, third, file, "--no-coverage");
      assertThat(add(store, night, option, "--rollup-config=" + file))
          .contains("added 1h.packed, ")
          .contains("a.b{dc=dc0,host=h0} at 2025-11-19T05:00:00Z: plain sum 1.0 ");
      assertThat(proven(store, table, "1h.packed", "a.a")).isEqualTo(WINDOW);
      assertThat(proven(store, table, "1h.packed", "a.b")).isEqualTo(without(5));
      put(packed, row(config, "b.a"), 7, now, 99.5);
      assertThat(add(store, night, option, "--rollup-config=" + file)).contains("sum 99.5");
      assertThat(proven(store, table, "1h.packed", "b.a"))
          .as("cut where it was proven before; two such metrics share their windows")
          .isEqualTo(without(7).intersect(without(5)));
      assertThat(proven(store, table, "1h.packed", "a.a")).isEqualTo(WINDOW);

      Path without = directory(done(store, config(store, false, "1h"), FROM, FROM + 12 * HOUR));
      unused = loaded(store, without, file, option, "--coverage-pause=0s");
      assertThat(proven(store, table, "1h.packed", "a.a"))
          .as("a run without packed rows cuts its times")
          .isEqualTo(TimeRanges.of((FROM + 12 * HOUR) * 1000, TO * 1000));
      assertThat(proven(store, table, "1h", "a.a")).isEqualTo(WINDOW);
    }
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
}
