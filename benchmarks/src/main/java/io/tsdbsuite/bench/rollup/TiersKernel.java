package io.tsdbsuite.bench.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rolls up, plans, proves and deletes a day of a table in a real HBase by the command lines of
 * rollup-job in this JVM, and prints what each costs and the bytes of the table.
 */
public final class TiersKernel {
  /** Of the table; the first is deleted. */
  static final int DAYS = 3;

  /** The commands that are measured, by the names of their figures. */
  static final List<String> COMMANDS =
      List.of("rollup", "tiers plan", "tiers prove", "tiers apply");

  /** The name of HBase's figures. */
  static final String COMPACTION = "major compaction";

  private static final int METRICS = 10;
  private static final int METRICS_OF_A_REGION = 3;
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Old enough for the policy. */
  private static final int AGE_DAYS = 40;

  private static final String DATA = "tsdb";
  private static final String COVERAGE = "tsdb-coverage";
  private static final String POLICY = "[{\"match\":\"app.*\",\"raw\":\"30d\",\"1h\":\"13M\"}]";
  private static final String ROLLUPS =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m",
         "rowSpan": "1h", "defaultInterval": true},
        {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-1h",
         "interval": "1h", "rowSpan": "1d"},
        {"table": "tsdb-rollup-1d", "preAggregationTable": "tsdb-rollup-1d",
         "interval": "1d", "rowSpan": "1y"}]}
      """;

  /** Files that nothing needs any more go within seconds; by default within minutes. */
  private static final Map<String, String> HBASE =
      Map.of(
          "hbase.hfile.compaction.discharger.interval", "1000",
          "hbase.master.hfilecleaner.ttl", "1000",
          "hbase.master.cleaner.interval", "2000");

  private final Path dir;
  private final int series;
  private final int rounds;
  private final HBaseServer hbase;
  private final TsdServer tsd;
  private final long from = LocalDate.now(ZoneOffset.UTC).minusDays(AGE_DAYS).toEpochDay() * DAY;
  private int runs;

  private TiersKernel(Path dir, Settings settings, Stack stack) {
    this.dir = dir;
    this.series = settings.number("series");
    this.rounds = settings.number("rounds");
    this.hbase = stack.hbase();
    this.tsd = stack.tsd();
  }

  /**
   * Arguments: a directory and settings: {@code series} of each metric, {@code rounds}, and those
   * of Spark.
   */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Path dir = Path.of(args[0]).toAbsolutePath();
    Settings settings = Settings.parse(args);
    Map<String, String> conf =
        Map.of("tsd.rollups.enable", "true", "tsd.rollups.config", ROLLUPS.replaceAll("\\s+", ""));
    List<byte[]> splits = new ArrayList<>();
    for (int metric = 1 + METRICS_OF_A_REGION; metric <= METRICS; metric += METRICS_OF_A_REGION) {
      splits.add(Uids.bytes(metric, StorageSchema.defaults().metricWidth()));
    }
    OpenTsdbTables tables =
        OpenTsdbTables.of(conf)
            .coverage(COVERAGE)
            .compression(Algorithm.SNAPPY)
            .encoding(DataBlockEncoding.FAST_DIFF)
            .splits(splits);
    try (Stack stack =
        Stack.in(dir.resolve("servers"))
            .tables(tables)
            .hbase(HBASE)
            .hbaseFlags("-Xmx2g")
            .tsd(conf)
            .optimized()
            .start()) {
      new TiersKernel(dir, settings, stack).run();
    }
    System.exit(0);
  }

  private void run() throws Exception {
    write();
    hbase.majorCompact(DATA);
    awaitBytes("the files before the compaction to be deleted", found -> found.archive == 0);
    hbase.snapshot(DATA, DATA);
    hbase.snapshot("tsdb-uid", "tsdb-uid");
    Path rollups = rollUp(DAYS);
    command("load", "--hfile-dir=" + rollups.toUri(), "--coverage-table=" + COVERAGE);
    command("coverage", "upgrade", "--coverage-table=" + COVERAGE);
    hbase.snapshot("tsdb-rollup-1h", "tsdb-rollup-1h");
    hbase.snapshot("tsdb-rollup-1d", "tsdb-rollup-1d");
    Files.writeString(dir.resolve("tiers.json"), POLICY);

    List<Way<Used>> ways =
        List.of(
            new Way<>("rollup", () -> used(() -> rollUp(1))),
            new Way<>("tiers plan", () -> used(this::plan)),
            new Way<>("tiers prove", () -> used(this::prove)));
    for (Samples<Used> way : Samples.of(rounds > 1 ? 1 : 0, rounds, ways)) {
      print(way.name(), way);
    }
    Stored before = stored();
    before.print("before");
    JsonNode raw = plan().at("/tables/0");
    requireEqual("bytes of the plan", before.table, raw.at("/books/hfiles").longValue());
    Cost.print("planned", raw.at("/days/0/bytes").doubleValue());
    Cost.print("points", prove().at("/byDay/0/points").doubleValue());

    one("tiers apply", this::apply);
    stored().print("applied");
    one(
        COMPACTION,
        () -> {
          hbase.majorCompact(DATA);
          return awaitBytes("compacted files to be archived", found -> found.files == regions());
        });
    stored().print("compacted");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.deleteSnapshot(DATA);
    }
    awaitBytes("the files of the snapshot to be deleted", found -> found.archive == 0)
        .print("freed");
  }

  private static int regions() {
    return (METRICS + METRICS_OF_A_REGION - 1) / METRICS_OF_A_REGION;
  }

  /** Rows of 60 points, as a TSD has compacted them at the time. */
  private void write() throws IOException {
    JsonNode uids = assign();
    List<BenchRow> like = DataRows.like(RowShape.S3_COMPACTED_60);
    RowKey keys = new RowKey(StorageSchema.defaults());
    byte[] tagk = uid(uids.at("/tagk/host"));
    int next = 0;
    try (BufferedMutator table = hbase.connection().getBufferedMutator(TableName.valueOf(DATA))) {
      for (int metric = 0; metric < METRICS; metric++) {
        byte[] metricUid = uid(uids.at("/metric/app.m" + metric));
        for (int host = 0; host < series; host++) {
          byte[] pair = Bytes.add(tagk, uid(uids.at("/tagv/h" + host)));
          for (long hour = from; hour < from + DAYS * DAY; hour += HOUR) {
            BenchRow row = like.get(next++ % like.size());
            table.mutate(
                new Put(keys.encode(metricUid, hour, pair))
                    .setDurability(Durability.SKIP_WAL)
                    .addColumn(
                        Bytes.toBytes(Tables.FAMILY),
                        row.cloneQualifier(0),
                        (hour + 2 * HOUR) * 1000,
                        row.cloneValue(0)));
          }
        }
      }
    }
    requireEqual(
        "last UID of a metric",
        METRICS,
        Bytes.toInt(Bytes.add(new byte[1], uid(uids.at("/metric/app.m" + (METRICS - 1))))));
  }

  private JsonNode assign() {
    ObjectNode names = new ObjectMapper().createObjectNode();
    ArrayNode metrics = names.putArray("metric");
    for (int metric = 0; metric < METRICS; metric++) {
      metrics.add("app.m" + metric);
    }
    names.putArray("tagk").add("host");
    ArrayNode hosts = names.putArray("tagv");
    for (int host = 0; host < series; host++) {
      hosts.add("h" + host);
    }
    return tsd.client().post("api/uid/assign", names);
  }

  private static byte[] uid(JsonNode text) {
    return HexFormat.of().parseHex(text.textValue());
  }

  /** Rolls up days into HFiles, and returns their directory. */
  private Path rollUp(int days) throws IOException {
    Path hfiles = dir.resolve("hfiles-" + runs++);
    command(
        "--snapshot-root=" + hbase.rootDir(),
        "--data-snapshot=" + DATA,
        "--interval=1h,1d",
        "--sink=hfile",
        "--hfile-dir=" + hfiles.toUri(),
        "--report=" + dir.resolve("rollup.json"),
        "--from=" + from,
        "--to=" + (from + days * DAY));
    File[] made = Objects.requireNonNull(hfiles.toFile().listFiles(File::isDirectory));
    return made[0].toPath();
  }

  private String day() {
    return LocalDate.ofEpochDay(from / DAY).toString();
  }

  private JsonNode plan() throws IOException {
    return new ObjectMapper()
        .readTree(
            command(
                "tiers",
                "plan",
                "--json",
                "--policy=" + dir.resolve("tiers.json"),
                "--snapshot-root=" + hbase.rootDir(),
                "--data-snapshot=" + DATA,
                "--uid-snapshot=tsdb-uid",
                "--rollup-snapshot=tsdb-rollup-1h,tsdb-rollup-1d"));
  }

  /** Proves the first day in a new directory. */
  private JsonNode prove() throws IOException {
    Path proofs = Files.createDirectory(dir.resolve("proofs-" + runs++));
    Path report = dir.resolve("prove.json");
    command(
        "tiers",
        "prove",
        "--policy=" + dir.resolve("tiers.json"),
        "--snapshot-root=" + hbase.rootDir(),
        "--data-snapshot=" + DATA,
        "--uid-snapshot=tsdb-uid",
        "--against-snapshot=tsdb-rollup-1h,tsdb-rollup-1d",
        "--proofs=" + proofs,
        "--day=" + day(),
        "--report=" + report);
    JsonNode proven = new ObjectMapper().readTree(report.toFile());
    requireEqual("proven days", 1, proven.at("/days/proven").longValue());
    return proven;
  }

  /** Deletes the first day by the last proof. */
  private JsonNode apply() throws IOException {
    Path markers = dir.resolve("markers");
    Path report = dir.resolve("apply.json");
    command(
        "tiers",
        "apply",
        "--policy=" + dir.resolve("tiers.json"),
        "--proofs=" + dir.resolve("proofs-" + (runs - 1)),
        "--snapshot-root=" + hbase.rootDir(),
        "--hfile-dir=" + markers.toUri(),
        "--coverage-table=" + COVERAGE,
        "--coverage-pause=0s",
        "--day=" + day(),
        "--report=" + report);
    JsonNode rows = new ObjectMapper().readTree(report.toFile()).at("/days/0/rows");
    long all = 24L * METRICS * series;
    requireEqual("deleted rows", all, rows.path("deleted").longValue());
    Cost.print("rows", (double) all);
    return rows;
  }

  /** Runs a command of rollup-job, and returns what it printed. */
  private String command(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.add("--tsd-config=" + tsd.configFile());
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ExitCode code =
        new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true))
            .run(all.toArray(String[]::new));
    if (code != ExitCode.DONE) {
      throw new IllegalStateException(all + " must succeed, said " + out + err);
    }
    return out.toString();
  }

  private static void requireEqual(String what, long expected, long found) {
    if (found != expected) {
      throw new IllegalStateException(what + " must be " + expected + ", found " + found);
    }
  }

  /**
   * What a command has cost.
   *
   * @param hbase CPU of the server, seconds
   */
  private record Used(Cost job, double hbase) {}

  private Used used(Way.Work<?> work) throws Exception {
    CpuClock server = CpuClock.of(hbase.pid());
    Cost before = Cost.now();
    work.run();
    return new Used(Cost.now().since(before, 1), server.seconds());
  }

  private void one(String name, Way.Work<?> work) throws Exception {
    print(name, new Samples<>(name, List.of(used(work))));
  }

  private static void print(String name, Samples<Used> samples) {
    Cost.print(name + ".cpu", samples.median(used -> used.job.processNanos()) / 1e9);
    Cost.print(name + ".hbase", samples.median(Used::hbase));
    Cost.print(name + ".wall", samples.median(used -> used.job.wallNanos()) / 1e9);
  }

  /**
   * Bytes of the HFiles of the data table.
   *
   * @param table those of its regions
   * @param files how many these are
   * @param archive those that only a snapshot, or nothing, needs
   */
  private record Stored(long table, int files, long archive) {
    void print(String name) {
      Cost.print(name, (double) table);
      Cost.print(name + ".archive", (double) archive);
    }
  }

  private Stored stored() {
    File root = Path.of(URI.create(hbase.rootDir())).toFile();
    String table = "data/default/" + DATA;
    List<File> files = hfiles(new File(root, table));
    return new Stored(
        files.stream().mapToLong(File::length).sum(),
        files.size(),
        hfiles(new File(root, "archive/" + table)).stream().mapToLong(File::length).sum());
  }

  /** Below a directory, without hidden files; HBase may move them meanwhile. */
  private static List<File> hfiles(File dir) {
    List<File> found = new ArrayList<>();
    File[] files = dir.listFiles(file -> !file.getName().startsWith("."));
    for (File file : files == null ? new File[0] : files) {
      if (file.isDirectory()) {
        found.addAll(hfiles(file));
      } else if (dir.getName().equals(Tables.FAMILY)) {
        found.add(file);
      }
    }
    return found;
  }

  private Stored awaitBytes(String what, Predicate<Stored> condition) {
    Await.until(what, PATIENCE, () -> condition.test(stored()));
    return stored();
  }
}
