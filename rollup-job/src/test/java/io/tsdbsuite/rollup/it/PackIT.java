package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.packed.PlainRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** {@code rollup-job pack} over snapshots of a real HBase, into the same HBase. */
class PackIT {
  private static final long START = SmallData.START;
  private static final long HOUR = SmallData.HOUR;
  private static final long DAY = SmallData.DAY;
  private static final int DAYS = 3;
  private static final List<String> NAMES = List.of("app.a", "sys.b", "web.c");
  private static final int METRICS = 3;
  private static final int SERIES = 4;
  private static final int ROWS = DAYS * METRICS * SERIES;
  private static final int HOURS = 24;
  private static final int KILLS = 4;
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final byte[][] PLAIN_SPLITS = {HexFormat.of().parseHex("000002")};
  private static final byte[][] PACKED_SPLITS = {
    HexFormat.of().parseHex("000002691c"), HexFormat.of().parseHex("000003")
  };

  private final HBaseServer hbase = SharedStack.get().hbase();

  /** A plain table, its packed one, and a coverage table with levels. */
  private final class Store {
    private final String name;
    private final Path directory;
    private final RollupConfig config;
    private final RollupInterval interval;
    private int snapshots;

    Store(String name) throws Exception {
      this.name = name;
      this.directory = TestFiles.directory(name);
      create(plain(), RowKey.FAMILY, PLAIN_SPLITS);
      create(packed(), RowKey.FAMILY, PACKED_SPLITS);
      create(coverage(), CoverageRows.FAMILY, new byte[0][]);
      names();
      try (CoverageTable table = new CoverageTable(hbase.connection(), coverage())) {
        table.upgrade(CoverageRows.LEVEL_VERSION);
      }
      String text =
          RollupStore.config(
              "t", name, "{'sum':0,'count':2,'min':3,'max':4,'p99':9}", List.of("1h"));
      text =
          text.substring(0, text.length() - 1)
              + """
              ,"suite": {"packed": {"1h": "%s"}, "values":
                [{"metrics": "*", "intervals": "1h", "aggregators": "p99"}]}}
              """
                  .formatted(packed());
      config = RollupConfig.parse(text);
      interval = config.interval("1h");
      Path rollups = directory.resolve("rollup_config.json");
      Files.writeString(rollups, text, StandardCharsets.UTF_8);
      Files.writeString(
          configFile(),
          "tsd.storage.hbase.zk_quorum = %s%ntsd.rollups.config = %s%n"
                  .formatted(hbase.zkQuorum(), rollups)
              + "tsd.storage.hbase.uid_table = %s%n".formatted(uids()),
          StandardCharsets.ISO_8859_1);
    }

    private void create(String table, String family, byte[][] splits) throws IOException {
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                .build(),
            splits);
      }
    }

    /** HBase removes delete markers. */
    void compact() throws Exception {
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.compactionSwitch(true, List.of());
        try {
          hbase.majorCompact(packed());
        } finally {
          admin.compactionSwitch(false, List.of());
        }
      }
    }

    /** Gives the metrics names. */
    private void names() throws IOException {
      create(uids(), UidRow.ID_FAMILY, new byte[0][]);
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.addColumnFamily(
            TableName.valueOf(uids()), ColumnFamilyDescriptorBuilder.of(UidRow.NAME_FAMILY));
      }
      byte[] column = UidKind.METRIC.qualifierBytes();
      for (int uid = 1; uid <= METRICS; uid++) {
        byte[] id = HexFormat.of().parseHex("%06x".formatted(uid));
        byte[] metric = NAMES.get(uid - 1).getBytes(StandardCharsets.ISO_8859_1);
        hbase.putCells(
            uids(),
            List.of(
                new RawCell(metric, UidRow.ID_FAMILY, column, 1, id),
                new RawCell(id, UidRow.NAME_FAMILY, column, 1, metric)));
      }
    }

    String uids() {
      return name + "-uid";
    }

    Path configFile() {
      return directory.resolve("opentsdb.conf");
    }

    String plain() {
      return name + "-1h";
    }

    String packed() {
      return name + "-packed";
    }

    String coverage() {
      return name + "-coverage";
    }

    PackedRow row(String aggregator) {
      return new PackedRow(PackedRow.kind(aggregator), interval.intervalsPerRow());
    }

    private byte[] key(int number) {
      return HexFormat.of()
          .parseHex(
              "%06x%08x000001%06x"
                  .formatted(
                      1 + number / SERIES % METRICS,
                      START + number / SERIES / METRICS * DAY,
                      1 + number % SERIES));
    }

    /** Stores a rollup in the plain table, and perhaps as a part. */
    void put(int row, int slot, long asOf, double value, boolean packs) throws IOException {
      byte[] key = key(row);
      List<RawCell> cells = new ArrayList<>();
      for (int id : List.of(0, 3, 4, 9)) {
        byte[] of = RollupCell.doubleValue(value / (1 + id));
        cells.add(cell(key, RollupCell.doubleQualifier(id, slot), asOf, of));
      }
      byte[] count = RollupCell.countValue(60);
      cells.add(cell(key, RollupCell.countQualifier(2, slot), asOf, count));
      hbase.putCells(plain(), cells);
      if (packs) {
        part(row, slot, asOf, value);
      }
    }

    /** Stores parts as a writer of {@link #put} does. */
    void part(int row, int slot, long asOf, double value) throws IOException {
      PackedRow four = row("");
      four.put(slot, asOf, value, value / 4, value / 5, 60);
      part(row, four);
      PackedRow p99 = row("p99");
      p99.put(slot, asOf, value / 10);
      part(row, p99);
    }

    void part(int row, PackedRow part) throws IOException {
      byte[] value = part.value();
      byte[] key = key(row);
      byte[] qualifier = part.qualifier(key, 0, key.length, value);
      hbase.putCells(packed(), List.of(cell(key, qualifier, part.asOf(), value)));
    }

    private RawCell cell(byte[] key, byte[] qualifier, long asOf, byte[] value) {
      return new RawCell(key, RowKey.FAMILY, qualifier, asOf, value);
    }

    /** All hours of all rows, without parts. */
    void past() throws IOException {
      for (int row = 0; row < ROWS; row++) {
        for (int slot = 0; slot < HOURS; slot++) {
          put(row, slot, asOf(row), 1000 * row + slot + 0.5, false);
        }
      }
    }

    /** When the rollups of a row were made. */
    long asOf(int row) {
      return (START + (row / SERIES / METRICS + 1) * DAY + HOUR) * 1000;
    }

    /** Takes the snapshots, and makes the command line. */
    JobRun fresh(String... more) throws IOException {
      int number = snapshots++;
      String ofPacked = name + "-k" + number;
      String ofPlain = name + "-p" + number;
      hbase.snapshot(packed(), ofPacked);
      hbase.snapshot(plain(), ofPlain);
      return job(ofPacked, ofPlain, more);
    }

    JobRun job(String ofPacked, String ofPlain, String... more) {
      return job(START, ofPacked, ofPlain, more);
    }

    JobRun job(long from, String ofPacked, String ofPlain, String... more) {
      return job(coverage(), from, ofPacked, ofPlain, more);
    }

    JobRun job(String coverage, long from, String ofPacked, String ofPlain, String... more) {
      return new JobRun(directory)
          .with(
              "pack",
              "--snapshot-root=" + hbase.rootDir(),
              "--packed-snapshot=" + ofPacked,
              "--plain-snapshot=" + ofPlain,
              "--tsd-config=" + configFile(),
              "--from=" + from,
              "--to=" + (START + DAYS * DAY),
              "--coverage-table=" + coverage,
              "--hfile-dir=" + hfiles().toUri())
          .with(more);
    }

    Path hfiles() {
      return directory.resolve("hfiles");
    }

    JsonNode done(JobRun run) throws IOException {
      return ended(run, ExitCode.DONE);
    }

    JsonNode ended(JobRun run, ExitCode exitCode) throws IOException {
      run.run();
      assertThat(run.exitCode()).as(run::everything).isEqualTo(exitCode);
      return run.reportJson();
    }

    /** That both tables have the same, as queries see it. */
    void requireEqual() throws IOException {
      Map<String, PlainRow> plainRows = new TreeMap<>();
      for (RawCell cell : hbase.cells(plain())) {
        byte[] q = cell.qualifier();
        byte[] v = cell.value();
        boolean unused =
            plainRows
                .computeIfAbsent(hex(cell), of -> new PlainRow(config, interval))
                .cell(q, 0, q.length, v, 0, v.length, cell.timestamp());
      }
      for (String aggregator : List.of("", "p99")) {
        Map<String, PackedRow> packedRows = new TreeMap<>();
        parts(aggregator).forEach((of, parts) -> packedRows.put(of, view(aggregator, parts)));
        for (Map.Entry<String, PlainRow> each : plainRows.entrySet()) {
          PackedRow wanted = row(aggregator);
          each.getValue().addTo(wanted);
          PackedRow found = packedRows.getOrDefault(each.getKey(), row(aggregator));
          for (int slot = 0; slot < HOURS; slot++) {
            assertThat(found.isEqual(slot, wanted))
                .as("row %s, slot %s of '%s'", each.getKey(), slot, aggregator)
                .isTrue();
          }
          packedRows.remove(each.getKey());
        }
        packedRows.forEach(
            (of, row) -> {
              for (int slot = 0; slot < HOURS; slot++) {
                assertThat(row.has(slot)).as("row %s, slot %s", of, slot).isFalse();
              }
            });
      }
    }

    /** The parts of a kind by their rows. */
    Map<String, List<RawCell>> parts(String aggregator) throws IOException {
      Map<String, List<RawCell>> parts = new TreeMap<>();
      for (RawCell cell : hbase.cells(packed())) {
        if (cell.qualifier()[0] == PackedRow.kind(aggregator)) {
          parts.computeIfAbsent(hex(cell), of -> new ArrayList<>()).add(cell);
        }
      }
      return parts;
    }

    private PackedRow view(String aggregator, List<RawCell> parts) {
      PackedRow view = row(aggregator);
      for (RawCell cell : parts) {
        byte[] k = cell.row();
        byte[] q = cell.qualifier();
        byte[] v = cell.value();
        try {
          view.add(k, 0, k.length, q, 0, q.length, v, 0, v.length);
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
      return view;
    }

    /** From and to of the windows, in hours since the start. */
    List<List<Long>> windows() throws Exception {
      try (CoverageTable table = new CoverageTable(hbase.connection(), coverage())) {
        return table.windows().stream()
            .filter(window -> window.interval().equals("1h.packed"))
            .sorted((a, b) -> Long.compare(a.from(), b.from()))
            .map(PackIT::hours)
            .toList();
      }
    }
  }

  private static List<Long> hours(CoverageWindow window) {
    return List.of((window.from() - START) / HOUR, (window.to() - START) / HOUR);
  }

  private static String hex(RawCell cell) {
    return HexFormat.of().formatHex(cell.row());
  }

  private static long count(JsonNode report, String counter) {
    JsonNode found = report.at(counter);
    assertThat(found.isIntegralNumber()).as(counter).isTrue();
    return found.longValue();
  }

  @Test
  void thePastThenNothingThenLateParts() throws Exception {
    Store store = new Store("pack-past");
    store.past();
    JsonNode planned = store.done(store.fresh("--dry-run"));
    assertThat(count(planned, "/parts/written")).isEqualTo(2 * ROWS);
    assertThat(hbase.cells(store.packed())).isEmpty();
    assertThat(store.windows()).isEmpty();

    JsonNode packed = store.done(store.fresh());
    assertThat(count(packed, "/slots/added")).isEqualTo(2 * ROWS * HOURS);
    assertThat(count(packed, "/rows/plain")).isEqualTo(ROWS);
    assertThat(count(packed, "/hfiles/loaded")).isEqualTo(3);
    store.requireEqual();
    assertThat(store.windows()).containsExactly(List.of(0L, 24L * DAYS));
    assertThat(store.hfiles()).isEmptyDirectory();

    Map<String, List<RawCell>> before = store.parts("");
    JsonNode again = store.done(store.fresh());
    assertThat(count(again, "/slots/equal")).isEqualTo(2 * ROWS * HOURS);
    assertThat(count(again, "/parts/kept")).isEqualTo(2 * ROWS);
    assertThat(count(again, "/hfiles/loaded")).isZero();
    assertThat(store.parts("")).isEqualTo(before);

    // Late data of one row: the first parts stay as they are, the fifth makes one part of all.
    for (int slot = 0; slot < 3; slot++) {
      store.put(5, slot, store.asOf(5) + 1000 + slot, -slot, true);
    }
    JsonNode few = store.done(store.fresh());
    assertThat(count(few, "/hfiles/loaded")).isZero();
    store.put(5, 3, store.asOf(5) + 2000, -3, true);
    JsonNode folded = store.done(store.fresh());
    assertThat(count(folded, "/parts/written")).isEqualTo(2);
    assertThat(count(folded, "/parts/deleted")).isEqualTo(10);
    store.requireEqual();
    assertThat(store.parts("").values()).allMatch(parts -> parts.size() == 1);
    assertThat(store.windows()).containsExactly(List.of(0L, 24L * DAYS));

    // After the major compaction no delete marker is left.
    store.compact();
    store.requireEqual();
    assertThat(count(store.done(store.fresh()), "/hfiles/loaded")).isZero();
  }

  @Test
  void plantedErrorsAreFoundAndMended() throws Exception {
    Store store = new Store("pack-wrong");
    store.past();
    store.done(store.fresh());
    int first = METRICS * SERIES;
    // A row too much; an older and an equally new wrong double.
    hbase.deleteRow(store.plain(), store.key(1));
    store.part(2, 3, store.asOf(2) - 1, 42);
    store.part(3, 3, store.asOf(3), Double.MAX_VALUE);
    // Of the second day: a newer one, and a part that cannot be read.
    store.part(first, 3, store.asOf(first) + 1, 42);
    byte[] broken = new byte[11];
    broken[0] = 1;
    hbase.putCells(
        store.packed(), List.of(store.cell(store.key(first + 1), broken, 5, new byte[] {1, 2})));

    JsonNode found = store.ended(store.fresh(), ExitCode.BAD_INPUT);
    assertThat(count(found, "/slots/takenBack")).isEqualTo(2 * HOURS);
    assertThat(count(found, "/slots/added")).isEqualTo(2);
    assertThat(count(found, "/slots/undecided")).isEqualTo(2);
    assertThat(count(found, "/parts/corrupt")).isEqualTo(1);
    assertThat(found.at("/message").textValue())
        .contains("1 packed cells cannot be read", "2 packed rollups are newer");
    assertThat(found.at("/samples").toString())
        .contains(HexFormat.of().formatHex(broken), HexFormat.of().formatHex(store.key(first)));
    assertThat(store.windows()).containsExactly(List.of(0L, 24L), List.of(48L, 72L));
    assertThat(found.at("/coverage/reason").textValue())
        .contains("1 rows, the first of 2025-11-19");

    // The window is rolled up again; the user asks for the deletion.
    store.put(first, 3, store.asOf(first) + 5000, 17, true);
    JsonNode mended = store.done(store.fresh("--delete-corrupt"));
    assertThat(count(mended, "/parts/corrupt")).isEqualTo(1);
    store.requireEqual();
    assertThat(mended.at("/coverage/windows")).hasSize(1);
  }

  @Test
  void whatComesAfterTheSnapshotsSurvives() throws Exception {
    Store store = new Store("pack-repair");
    store.past();
    store.part(1, 5, store.asOf(1), 42);
    JobRun late = store.fresh();
    // A repair of what the run adds, one of what it replaces, and a deletion.
    store.put(0, 4, store.asOf(0) + 1000, 77, true);
    store.put(1, 5, store.asOf(1) + 1000, 78, true);
    PackedRow gone = store.row("");
    gone.takeBack(6, store.asOf(2) + 1000);
    store.part(2, gone);
    PackedRow goneP99 = store.row("p99");
    goneP99.takeBack(6, store.asOf(2) + 1000);
    store.part(2, goneP99);
    for (RawCell cell : hbase.cells(store.plain())) {
      if (Arrays.equals(cell.row(), store.key(2)) && RollupCell.offset(cell.qualifier(), 0) == 6) {
        hbase.deleteCell(store.plain(), cell.row(), RowKey.FAMILY, cell.qualifier());
      }
    }
    store.done(late);
    store.requireEqual();
    assertThat(store.windows()).containsExactly(List.of(0L, 24L * DAYS));
    store.done(store.fresh());
    store.requireEqual();
  }

  /** Rows below a floor may be deleted from one of the snapshots alone. */
  @Test
  void rowsBelowTheFloorOfTheirMetricAreLeftOut() throws Exception {
    Store store = new Store("pack-floor");
    store.past();
    store.done(store.fresh());
    int second = METRICS * SERIES;
    try (CoverageTable table = new CoverageTable(hbase.connection(), store.coverage())) {
      CoverageFloor floor =
          new CoverageFloor(
              "1h", "test", START + DAY, "sys.*", "a test", (START + 30 * DAY) * 1000);
      table.raise(floor, System.currentTimeMillis());
      hbase.deleteRow(store.plain(), store.key(SERIES));
      store.part(SERIES + 1, 3, store.asOf(1) + 1, 42);
      store.put(0, 3, store.asOf(0) + 1, 43, false);
      store.put(second, 3, store.asOf(second) + 1, 43, false);
      Map<String, List<RawCell>> before = store.parts("");
      JsonNode report = store.done(store.fresh());
      assertThat(count(report, "/rows/belowFloor")).isEqualTo(SERIES);
      assertThat(count(report, "/slots/takenBack")).isZero();
      assertThat(count(report, "/slots/added")).isEqualTo(4);
      assertThat(report.at("/coverage/windows")).hasSize(2);
      assertThat(report.at("/coverage/windows/0/metrics").textValue()).isEqualTo("*,!sys.*");
      assertThat(report.at("/coverage/windows/0/to").textValue())
          .isEqualTo(Instant.ofEpochSecond(START + DAY).toString());
      assertThat(report.at("/coverage/windows/1/metrics").textValue()).isEqualTo("*");
      Map<String, List<RawCell>> after = store.parts("");
      for (int row : new int[] {0, second}) {
        String changed = HexFormat.of().formatHex(store.key(row));
        assertThat(after.remove(changed)).isNotEqualTo(before.remove(changed));
      }
      assertThat(after).isEqualTo(before);

      JobRun old = store.fresh();
      CoverageFloor lower =
          new CoverageFloor("1h", "test", START, "sys.*", "another", (START + 30 * DAY) * 1000);
      table.lower(floor, lower);
      assertThat(refused(old)).contains("a floor of 1h was raised or lowered", "new snapshots");

      CoverageFloor ofAll =
          new CoverageFloor("1h", "all", START + 2 * DAY, "*", "a test", (START + 30 * DAY) * 1000);
      table.raise(ofAll, System.currentTimeMillis());
      JsonNode rest = store.done(store.fresh());
      assertThat(count(rest, "/rows/plain")).isEqualTo(ROWS - 2 * second);
      assertThat(rest.at("/input/from").textValue())
          .isEqualTo(Instant.ofEpochSecond(START + 2 * DAY).toString());
    }
  }

  @Test
  void whatADeleteMarkerHidesIsNotProven() throws Exception {
    Store store = new Store("pack-hidden");
    store.past();
    store.done(store.fresh());
    assertThat(store.windows()).containsExactly(List.of(0L, 24L * DAYS));
    // A user deletes a row: its parts have older timestamps than the marker.
    int second = METRICS * SERIES;
    hbase.deleteRow(store.packed(), store.key(second));
    JsonNode hidden = store.ended(store.fresh(), ExitCode.BAD_INPUT);
    assertThat(count(hidden, "/parts/written")).isEqualTo(2);
    assertThat(count(hidden, "/rows/unseen")).isEqualTo(1);
    assertThat(hidden.at("/message").textValue())
        .contains("1 rows of table " + store.packed(), "major_compact '" + store.packed() + "'");
    assertThat(hidden.at("/samples").toString())
        .contains("1h.packed: 24 slots", "plain sum 12000.5", "packed nothing");
    assertThat(hidden.at("/coverage/windows")).isEmpty();
    assertThat(store.windows()).containsExactly(List.of(0L, 24L), List.of(48L, 72L));

    store.compact();
    store.done(store.fresh());
    store.requireEqual();
    assertThat(store.windows()).containsExactly(List.of(0L, 24L * DAYS));

    // After the snapshots, from which nothing is to be written.
    JobRun unchanged = store.fresh();
    hbase.deleteRow(store.packed(), store.key(second));
    JsonNode gone = store.ended(unchanged, ExitCode.BAD_INPUT);
    assertThat(count(gone, "/parts/written")).isZero();
    assertThat(count(gone, "/rows/unseen")).isEqualTo(1);
    assertThat(store.windows()).containsExactly(List.of(0L, 24L), List.of(48L, 72L));
  }

  /** HBase shows nothing of it, which no compaction changes. */
  @Test
  void whatHasExpiredIsNotProven() throws Exception {
    Store store = new Store("pack-expired");
    store.past();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.modifyColumnFamily(
          TableName.valueOf(store.packed()),
          ColumnFamilyDescriptorBuilder.newBuilder(RowKey.family())
              .setTimeToLive(Math.toIntExact(DAY))
              .build());
    }
    JsonNode report = store.done(store.fresh());
    assertThat(count(report, "/rows/unseen")).isZero();
    assertThat(report.at("/coverage/reason").textValue())
        .contains("the TTL of table " + store.packed());
    assertThat(store.windows()).isEmpty();
  }

  @Test
  void aKilledRunIsRepeated() throws Exception {
    Random random = Seed.random();
    Store store = new Store("pack-kill");
    store.past();
    for (int kill = 0; kill < KILLS; kill++) {
      for (int i = 0; i < 6; i++) {
        store.put(random.nextInt(ROWS), 3, store.asOf(ROWS) + 10L * kill + i, i, true);
      }
      JobRun job = store.fresh();
      Path log = TestFiles.directory("pack-kill");
      try (ChildJob child = ChildJob.start(job.arguments(), log)) {
        // It may have ended between two looks.
        Await.until(
            "a file is written",
            LONG,
            () -> hasFiles(store.hfiles()) || child.ended(Duration.ZERO));
        boolean unused = child.ended(Duration.ofMillis(random.nextInt(1500)));
      }
      // Late data after the kill, then the same snapshots.
      store.put(random.nextInt(ROWS), 4, store.asOf(ROWS) + 10L * kill, kill, true);
      store.done(job);
      store.requireEqual();
    }
    store.done(store.fresh());
    assertThat(count(store.done(store.fresh()), "/hfiles/loaded")).isZero();
    store.requireEqual();
  }

  private static boolean hasFiles(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("v1_"));
    }
  }

  @Test
  void otherSnapshotsAndTablesAreRefused() throws Exception {
    Store store = new Store("pack-refused");
    store.put(0, 0, store.asOf(0), 1, true);
    JobRun good = store.fresh();
    String ofPacked = store.name + "-k0";
    String ofPlain = store.name + "-p0";
    assertThat(refused(store.job(ofPlain, ofPacked)))
        .contains("--packed-snapshot must be of table " + store.packed())
        .contains("--plain-snapshot must be of table " + store.plain())
        .contains("--packed-snapshot must be taken before --plain-snapshot");
    assertThat(refused(store.job("none-such", START, ofPacked, ofPlain)))
        .contains("--coverage-table: table none-such does not exist");
    assertThat(
            refused(
                new JobRun(store.directory)
                    .with("pack", "--tsd-config=" + store.configFile(), "--interval=10m")))
        .contains("--snapshot-root", "--packed-snapshot", "--plain-snapshot", "--hfile-dir")
        .contains("--from", "--to", "--interval must be one of suite.packed");
    assertThat(ended(store.job(START + DAY, ofPacked, ofPlain), ExitCode.BAD_INPUT))
        .contains("has no row of the window");
    store.done(good);
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(store.packed()));
      admin.truncateTable(TableName.valueOf(store.packed()), true);
    }
    assertThat(refused(store.job(ofPacked, ofPlain)))
        .contains("must have the regions of snapshot " + ofPacked);
  }

  private static String refused(JobRun run) {
    return ended(run, ExitCode.USAGE);
  }

  private static String ended(JobRun run, ExitCode exitCode) {
    run.run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(exitCode);
    return run.err();
  }
}
