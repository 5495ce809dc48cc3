package io.tsdbsuite.rollup.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.apply.ApplyOptions;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.StoppedApply;
import io.tsdbsuite.rollup.tiers.apply.UndoOptions;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Raw data of some days that a TSD has stored long before the snapshot, their rollups, which the
 * coverage proves, and proofs of the days.
 */
final class TierStore implements AutoCloseable {
  static final long HOUR = 3600;
  static final long DAY = 24 * HOUR;
  static final long FROM = SmallData.START;
  static final List<String> METRICS = List.of("app.a", "app.b", "web.a");
  static final String POLICY =
      "[{\"match\":\"app.none.*\",\"raw\":\"29d\"},"
          + "{\"match\":\"app.*\",\"raw\":\"30d\",\"1h\":\"13M\",\"1d\":\"5y\"}]";
  private static final long BEFORE_SNAPSHOT = Duration.ofHours(2).toMillis();
  private static final String[] INTERVALS = {"1h", "1d"};

  private final HBaseServer hbase = SharedStack.get().hbase();
  private final Path directory = TestFiles.directory("tiers-apply");
  private final String name;
  private final int series;
  private final List<Integer> withPoints;
  private final int days;
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final TsdServer tsd;
  private String root = hbase.rootDir();
  private Path runs = directory;
  private String policy = POLICY;

  /** Whether rows may be in another salt bucket than that of their series. */
  private boolean anyBucket;

  final RowKey keys;

  /**
   * Makes tables with points.
   *
   * @param name of all tables, as a prefix
   * @param series of each metric
   * @param days that have points, from the first
   * @param conf more keys of the TSD
   */
  TierStore(String name, List<byte[]> splits, int series, int days, String... conf)
      throws IOException {
    this(name, splits, series, IntStream.range(0, days).boxed().toList(), RollupStore.IDS, conf);
  }

  /**
   * The same with points on some days.
   *
   * @param withPoints these days, in order
   * @param ids of the aggregators, and what else the rollup configuration has
   */
  TierStore(
      String name,
      List<byte[]> splits,
      int series,
      List<Integer> withPoints,
      String ids,
      String... conf)
      throws IOException {
    this.name = name;
    this.series = series;
    this.withPoints = withPoints;
    this.days = withPoints.get(withPoints.size() - 1) + 1;
    Map<String, String> all = CorrectnessIT.conf(name, conf);
    String json = RollupStore.config(name + "-data", name + "-rollup", ids, List.of(INTERVALS));
    rollups = RollupConfig.parse(json);
    all.put("tsd.rollups.enable", "true");
    all.put("tsd.rollups.config", json);
    all.put("tsd.storage.enable_compaction", "false");
    Stack stack = SharedStack.get();
    stack.create(OpenTsdbTables.of(all).coverage(coverageTable()).splits(splits));
    tsd = stack.startTsd(name, all);
    schema = StorageSchema.from(TsdConfig.parse(Files.readString(tsd.configFile())));
    keys = new RowKey(schema);
    tsd.client().put(points(), 3000);
    Files.createDirectory(proofs());
    keep(POLICY);
  }

  /** Sets the policy, which has the same selections of metrics. */
  void keep(String json) throws IOException {
    policy = json;
    Files.writeString(directory.resolve("tiers.json"), json);
  }

  private List<DataPoint> points() {
    List<DataPoint> points = new ArrayList<>();
    for (String metric : METRICS) {
      for (int day : withPoints) {
        for (long hour = FROM + day * DAY; hour < FROM + (day + 1) * DAY; hour += HOUR) {
          for (int i = 0; i < series; i++) {
            Map<String, String> tags = Map.of("host", "h" + i);
            points.add(new DataPoint(metric, hour + 7L * i, hour / HOUR % 24 + i, tags));
            points.add(new DataPoint(metric, hour + 7L * i + 900, i + 0.25, tags));
          }
        }
      }
    }
    return points;
  }

  HBaseServer hbase() {
    return hbase;
  }

  TsdServer tsd() {
    return tsd;
  }

  String dataTable() {
    return name + "-data";
  }

  String coverageTable() {
    return name + "-coverage";
  }

  String rollupTable(String interval) {
    return name + "-rollup-" + interval;
  }

  /** The codecs, if rollups have histograms: a TSD without sketches' class takes no such id. */
  private HistogramCodecs codecs() {
    try {
      return rollups.suite().hasHistograms()
          ? HistogramCodecs.load(TsdServer.SKETCH_CONFIG)
          : HistogramCodecs.NONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String[] codecsOption() {
    return rollups.suite().hasHistograms()
        ? new String[] {"--tsd.core.histograms.config=" + TsdServer.SKETCH_CONFIG}
        : new String[0];
  }

  /** The rollup tables, and those of histograms. */
  private List<String> stored() {
    List<String> tables = new ArrayList<>();
    Arrays.stream(INTERVALS).map(this::rollupTable).forEach(tables::add);
    rollups.levels().stream().filter(Level::isHistogram).map(Level::table).forEach(tables::add);
    return tables;
  }

  /** Another one for each time that the days are rolled up. */
  private String snapshot() {
    return name + (runs.equals(directory) ? "-snapshot" : "-snapshot-again");
  }

  Path proofs() {
    return directory.resolve("proofs");
  }

  Path markers() {
    return directory.resolve("markers");
  }

  /** Rolls up all days from a snapshot, and proves the rollups in a new coverage table. */
  void rollUp() throws Exception {
    makeOld(dataTable());
    rollUpStored();
  }

  /** The same of a table whose rows may be in any bucket. */
  void rollUpAnyBucket(Function<RawCell, byte[]> row) throws Exception {
    makeOld(dataTable(), row, BEFORE_SNAPSHOT);
    anyBucket = true;
    rollUpStored();
  }

  private String[] anyBucket() {
    return anyBucket ? new String[] {"--any-bucket"} : new String[0];
  }

  /** Rolls up all days once more, from a new snapshot, as if all masks were minutes old. */
  void rollUpAgain() throws Exception {
    runs = TestFiles.directory("tiers-again");
    try (Table table = hbase.connection().getTable(TableName.valueOf(coverageTable()));
        ResultScanner masks =
            table.getScanner(new Scan().setStartStopRowForPrefixScan("mask/".getBytes(UTF_8)))) {
      for (Result row : masks) {
        Put old = new Put(row.getRow());
        for (Cell cell : row.rawCells()) {
          long time = cell.getTimestamp() - BEFORE_SNAPSHOT;
          old.addColumn(
              CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), time, new byte[0]);
          table.delete(
              new Delete(row.getRow())
                  .addColumn(
                      CellUtil.cloneFamily(cell),
                      CellUtil.cloneQualifier(cell),
                      cell.getTimestamp()));
        }
        table.put(old);
      }
    }
    rollUpStored();
  }

  private void rollUpStored() throws Exception {
    if (!rollups.suite().isEmpty()) {
      try (CoverageTable table = new CoverageTable(hbase.connection(), coverageTable())) {
        table.upgrade(CoverageRows.LEVEL_VERSION);
      }
    }
    hbase.snapshot(dataTable(), snapshot());
    JobRun run =
        new JobRun(runs)
            .with(
                "--snapshot-root=" + hbase.rootDir(),
                "--data-snapshot=" + snapshot(),
                "--tsd-config=" + tsd.configFile(),
                "--interval=" + String.join(",", INTERVALS),
                "--sink=hfile",
                "--hfile-dir=" + runs.resolve("hfiles").toUri())
            .with(SmallData.window(FROM, FROM + days * DAY))
            .with(anyBucket())
            .with(codecsOption())
            .with(rollups.suite().isEmpty() ? new String[0] : new String[] {"--uid-source=hbase"})
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    List<String> options = new ArrayList<>(List.of(codecsOption()));
    options.add("--coverage-table=" + coverageTable());
    LoadRun load =
        LoadRun.of(LoadRun.runDirectory(runs), tsd.configFile(), options.toArray(String[]::new));
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    assertThat(load.reportJson().at("/coverage/reason").textValue()).isEmpty();
    try (CoverageTable table = new CoverageTable(hbase.connection(), coverageTable())) {
      table.upgrade();
    }
  }

  void makeOld(String of) throws IOException {
    makeOld(of, BEFORE_SNAPSHOT);
  }

  /**
   * Makes the cells of a table older.
   *
   * @param by milliseconds
   */
  void makeOld(String of, long by) throws IOException {
    makeOld(of, RawCell::row, by);
  }

  /** Cells of the last minute before a snapshot would be newer than the markers. */
  private void makeOld(String of, Function<RawCell, byte[]> row, long by) throws IOException {
    List<RawCell> old = new ArrayList<>();
    for (RawCell cell : hbase.cells(of)) {
      old.add(
          new RawCell(
              row.apply(cell),
              cell.family(),
              cell.qualifier(),
              cell.timestamp() - by,
              cell.value()));
    }
    TableName table = TableName.valueOf(of);
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(table);
      admin.truncateTable(table, true);
    }
    hbase.putCells(of, old);
  }

  boolean isOfDay(byte[] row, long day) {
    return keys.baseTime(row, 0) >= FROM + day * DAY
        && keys.baseTime(row, 0) < FROM + (day + 1) * DAY;
  }

  /** The metric of a row: UIDs are given in the order of the metrics. */
  String metric(byte[] row) {
    return METRICS.get((int) keys.metricUid(row, 0) - 1);
  }

  /** Whether the proof of a day is about a row. */
  boolean isProven(byte[] row, long day) {
    return isOfDay(row, day) && metric(row).startsWith("app.");
  }

  static boolean isPoint(RawCell cell) {
    return kind(cell) == ColumnKind.SECONDS_POINT || kind(cell) == ColumnKind.MILLIS_POINT;
  }

  static ColumnKind kind(RawCell cell) {
    return ColumnKind.of(cell.qualifier(), 0, cell.qualifier().length);
  }

  /** The proof of a day, from a scan of the table, which must be as in the snapshot. */
  Proof proof(long day) throws IOException {
    SortedMap<String, Proof.Rows> metrics = new TreeMap<>();
    SortedMap<String, Long> kept = new TreeMap<>();
    for (List<RawCell> row : rows(dataTable(), of -> isProven(of, day))) {
      if (row.stream().anyMatch(cell -> kind(cell) == ColumnKind.HISTOGRAM)) {
        kept.merge("histograms", 1L, Long::sum);
        continue;
      }
      if (row.stream().noneMatch(TierStore::isPoint)) {
        kept.merge("annotations", 1L, Long::sum);
        continue;
      }
      long points = row.stream().filter(TierStore::isPoint).count();
      long annotated = points < row.size() ? 1 : 0;
      count(row, new Proof.Rows(1 - annotated, annotated, points), metrics);
    }
    return proof(day, metrics, kept, source(snapshot()));
  }

  /** The cells of rows of a table. */
  private Collection<List<RawCell>> rows(String table, Predicate<byte[]> of) throws IOException {
    SortedMap<String, List<RawCell>> rows = new TreeMap<>();
    for (RawCell cell : hbase.cells(table)) {
      if (of.test(cell.row())) {
        rows.computeIfAbsent(HexFormat.of().formatHex(cell.row()), any -> new ArrayList<>())
            .add(cell);
      }
    }
    return rows.values();
  }

  private void count(List<RawCell> row, Proof.Rows of, SortedMap<String, Proof.Rows> metrics) {
    long uid = keys.metricUid(row.get(0).row(), 0);
    metrics.merge(
        HexFormat.of().formatHex(Uids.bytes(uid, schema.metricWidth())),
        of,
        (a, b) ->
            new Proof.Rows(
                a.rows() + b.rows(),
                a.annotatedRows() + b.annotatedRows(),
                a.points() + b.points()));
  }

  private Proof proof(
      long day,
      SortedMap<String, Proof.Rows> metrics,
      SortedMap<String, Long> kept,
      Proof.Source data) {
    Instant from = Instant.ofEpochSecond(FROM + day * DAY);
    Policy of = policy();
    Policy.Entry entry = of.entries().get(1);
    Map<String, Proof.Source> sources = new TreeMap<>();
    for (String interval : INTERVALS) {
      sources.put(
          interval, new Proof.Source(rollupTable(interval), "r", Instant.now(), "0".repeat(64)));
    }
    SortedMap<String, Integer> ids =
        new TreeMap<>(Map.of("sum", 0, "count", 2, "min", 3, "max", 4));
    return new Proof(
        Proof.FORMAT,
        "test",
        new Proof.Selection(
            2, entry.match(), of.metrics(entry), new TreeMap<>(entry.keep()), "0".repeat(64)),
        "",
        new TreeMap<>(schema.rowKeys()),
        ids,
        "",
        anyBucket,
        Policy.RAW,
        from,
        from.plusSeconds(DAY),
        metrics,
        kept,
        data,
        sources,
        new Proof.Verified("0".repeat(64), 100, 100),
        Proof.Series.NONE,
        Instant.now());
  }

  /**
   * The proofs of idle series, and their series: of all tables, from scans of these, of which it
   * takes snapshots. The raw data are the last.
   *
   * @param isIdle tells by a row of any table
   */
  List<Proof> idle(Predicate<byte[]> isIdle) throws IOException {
    Map<String, String> tables = new TreeMap<>();
    tables.put(Policy.RAW, dataTable());
    for (String interval : INTERVALS) {
      tables.put(interval, rollupTable(interval));
    }
    TreeSet<byte[]> tsuids = new TreeSet<>(Arrays::compareUnsigned);
    Map<String, SortedMap<String, Proof.Rows>> metrics = new TreeMap<>();
    Map<String, Proof.Source> sources = new TreeMap<>();
    for (Map.Entry<String, String> table : tables.entrySet()) {
      String snapshot = table.getValue() + "-idle";
      hbase.snapshot(table.getValue(), snapshot);
      sources.put(table.getKey(), source(snapshot));
      SortedMap<String, Proof.Rows> of = new TreeMap<>();
      for (List<RawCell> row : rows(table.getValue(), isIdle)) {
        byte[] key = row.get(0).row();
        tsuids.add(keys.tsuid(key, 0, key.length));
        count(row, new Proof.Rows(1, 0, row.size()), of);
      }
      metrics.put(table.getKey(), of);
    }
    Policy of = policy();
    Policy.Entry entry = of.entries().get(1);
    IdleSeries.Builder series = new IdleSeries.Builder();
    tsuids.forEach(tsuid -> assertThat(series.add(tsuid)).isTrue());
    Instant before =
        Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(entry.idle()));
    Proof.Series written = store().write(series.build(), before, of.metrics(entry));
    Instant provenAt = Instant.now();
    SortedMap<String, Integer> keep = new TreeMap<>(entry.keep());
    keep.put(Policy.IDLE, entry.idle());
    List<Proof> proofs = new ArrayList<>();
    for (String table : List.of("1d", "1h", Policy.RAW)) {
      Map<String, Proof.Source> others = new TreeMap<>(sources);
      others.remove(table);
      proofs.add(
          new Proof(
              Proof.IDLE,
              "test",
              new Proof.Selection(2, entry.match(), of.metrics(entry), keep, "0".repeat(64)),
              "",
              new TreeMap<>(schema.rowKeys()),
              new TreeMap<>(Map.of("sum", 0, "count", 2, "min", 3, "max", 4)),
              "",
              false,
              table,
              Instant.EPOCH,
              before,
              metrics.get(table),
              new TreeMap<>(),
              sources.get(table),
              others,
              Proof.Verified.NONE,
              written,
              provenAt));
    }
    return proofs;
  }

  void deleteSnapshot() throws IOException {
    deleteSnapshot(snapshot());
  }

  private void deleteSnapshot(String snapshot) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshot)));
    }
  }

  private Proof.Source source(String snapshot) {
    return Proof.Source.of(
        new SnapshotLoader(hbase.clientConfiguration(), hbase.rootDir())
            .load(snapshot, RowKey.FAMILY));
  }

  /** Proves a day by the command, and returns its proof. */
  Proof prove(long day) throws IOException {
    JobRun run = proveCommand(day, anyBucket());
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    return proven(Policy.RAW, day);
  }

  /** The command that proves a day, over new snapshots of all but the data table. */
  JobRun proveCommand(long day, String... more) throws IOException {
    takeSnapshots();
    return proveCommand(more)
        .with("--day=" + Instant.ofEpochSecond(FROM + day * DAY).toString().substring(0, 10))
        .run();
  }

  /** Takes new snapshots of all but the data table. */
  void takeSnapshots() throws IOException {
    List<String> tables = stored();
    tables.add(name + "-uid");
    for (String table : tables) {
      deleteSnapshot(table + "-snapshot");
      hbase.snapshot(table, table + "-snapshot");
    }
  }

  /** The command that proves all days, over these snapshots, to run. */
  JobRun proveCommand(String... more) {
    return new JobRun(directory)
        .with(
            "tiers",
            "prove",
            "--policy=" + directory.resolve("tiers.json"),
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=" + snapshot(),
            "--uid-snapshot=" + name + "-uid-snapshot",
            "--against-snapshot=" + String.join("-snapshot,", stored()) + "-snapshot",
            "--tsd-config=" + tsd.configFile(),
            "--proofs=" + proofs())
        .with(codecsOption())
        .with(more);
  }

  /** The proof that the command has written of a day, or of the rows that begin on it. */
  Proof proven(String level, long day) {
    Instant from = Instant.ofEpochSecond(FROM + day * DAY);
    Policy of = policy();
    return store().read(ProofStore.name(level, from, of.metrics(of.entries().get(1))));
  }

  private ProofStore store() {
    return new ProofStore(proofs().toString(), hbase.clientConfiguration());
  }

  void write(Proof proof) {
    store().write(proof);
  }

  Policy policy() {
    List<String> problems = new ArrayList<>();
    Policy read = PolicyReader.read(policy.getBytes(StandardCharsets.UTF_8), rollups, problems);
    assertThat(problems).isEmpty();
    return read;
  }

  /** An apply of days in this JVM, which is told each step. */
  ApplyReport apply(long fromDay, long toDay, Clock clock, Consumer<String> before) {
    return apply(Policy.RAW, fromDay, toDay, clock, before);
  }

  /** The same of a table. */
  ApplyReport apply(String level, long fromDay, long toDay, Clock clock, Consumer<String> before) {
    Window window = new Window(FROM + fromDay * DAY, FROM + toDay * DAY);
    return apply(level, window, clock, before);
  }

  /** An apply of idle series. */
  ApplyReport applyIdle(Clock clock, Consumer<String> before) {
    return apply(Policy.RAW, null, clock, before);
  }

  private ApplyReport apply(
      String level, @Nullable Window window, Clock clock, Consumer<String> before) {
    ApplyOptions options =
        new ApplyOptions(
            "test",
            level,
            policy(),
            proofs().toString(),
            markers().toUri().toString(),
            root,
            window,
            schema,
            rollups,
            codecs(),
            coverageTable(),
            Duration.ZERO,
            null);
    Configuration conf = hbase.clientConfiguration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    return StoppedApply.run(conf, options, clock, before);
  }

  ApplyReport apply(long day) {
    return apply(day, day + 1, Clock.systemUTC(), step -> {});
  }

  /** From now on the snapshots are looked for here. */
  void setRoot(String uri) {
    root = uri;
  }

  /** An undo in this JVM from a day on, which is told each step. */
  UndoReport undo(long fromDay, Consumer<String> before) {
    return undo(Policy.RAW, fromDay, before);
  }

  /** The same of a table. */
  UndoReport undo(String level, long fromDay, Consumer<String> before) {
    return undo(level, fromDay, markers(), coverageTable(), before);
  }

  UndoReport undo(long fromDay, Path markers, String coverageTable, Consumer<String> before) {
    return undo(Policy.RAW, fromDay, markers, coverageTable, before);
  }

  private UndoReport undo(
      String level, long fromDay, Path markers, String coverageTable, Consumer<String> before) {
    return undo(
        level,
        Long.valueOf(FROM + fromDay * DAY),
        markers,
        coverageTable,
        Clock.systemUTC(),
        before);
  }

  /** An undo of idle series. */
  UndoReport undoIdle(Consumer<String> before) {
    return undoIdle(Clock.systemUTC(), before);
  }

  UndoReport undoIdle(Clock clock, Consumer<String> before) {
    return undo(Policy.RAW, null, markers(), coverageTable(), clock, before);
  }

  private UndoReport undo(
      String level,
      @Nullable Long from,
      Path markers,
      String coverageTable,
      Clock clock,
      Consumer<String> before) {
    UndoOptions options =
        new UndoOptions(
            level,
            from,
            null,
            markers.toUri().toString(),
            hbase.rootDir(),
            schema,
            rollups,
            codecs(),
            coverageTable);
    return StoppedApply.undo(hbase.clientConfiguration(), options, clock, before);
  }

  /** The command of an undo from a day on. */
  JobRun undoCommand(long fromDay, String... more) {
    return new JobRun(directory)
        .with(
            "tiers",
            "undo",
            "--from=" + Instant.ofEpochSecond(FROM + fromDay * DAY).toString().substring(0, 10),
            "--snapshot-root=" + hbase.rootDir(),
            "--hfile-dir=" + markers().toUri(),
            "--tsd-config=" + tsd.configFile(),
            "--coverage-table=" + coverageTable(),
            "--report=" + directory.resolve("report.json"))
        .with(codecsOption())
        .with(more)
        .run();
  }

  /** The command line of an apply of a day. */
  List<String> arguments(long day, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "tiers",
                "apply",
                "--policy=" + directory.resolve("tiers.json"),
                "--proofs=" + proofs(),
                "--day=" + Instant.ofEpochSecond(FROM + day * DAY).toString().substring(0, 10),
                "--snapshot-root=" + hbase.rootDir(),
                "--hfile-dir=" + markers().toUri(),
                "--tsd-config=" + tsd.configFile(),
                "--coverage-table=" + coverageTable(),
                "--coverage-pause=0s"));
    arguments.addAll(Arrays.asList(more));
    return arguments;
  }

  /** The command of an apply of idle series. */
  JobRun idleCommand(String... more) {
    List<String> arguments = arguments(0, more);
    arguments.set(4, "--idle");
    return new JobRun(directory).with(arguments.toArray(String[]::new)).run();
  }

  JobRun command(long day, String... more) {
    return new JobRun(directory)
        .with(arguments(day, more).toArray(String[]::new))
        .with("--report=" + directory.resolve("report.json"))
        .run();
  }

  JsonNode report() throws IOException {
    return new ObjectMapper().readTree(directory.resolve("report.json").toFile());
  }

  Coverage coverage() throws IOException {
    try (CoverageTable table = new CoverageTable(hbase.connection(), coverageTable())) {
      return table.read(CoverageListing.tables(rollups), System.currentTimeMillis());
    }
  }

  /** All cells of the data table, also hidden ones and markers, with their types. */
  List<String> raw() throws IOException {
    return raw(dataTable());
  }

  /** The same of a table. */
  List<String> raw(String of) throws IOException {
    List<String> all = new ArrayList<>();
    try (Table table = hbase.connection().getTable(TableName.valueOf(of));
        ResultScanner rows = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          all.add(
              cell.getType()
                  + " "
                  + new RawCell(
                      CellUtil.cloneRow(cell),
                      "t",
                      CellUtil.cloneQualifier(cell),
                      cell.getTimestamp(),
                      CellUtil.cloneValue(cell)));
        }
      }
    }
    return all;
  }

  @Override
  public void close() {
    tsd.stop();
  }
}
