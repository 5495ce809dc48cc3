package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseCommands;
import io.tsdbsuite.testkit.SparkCommand;
import io.tsdbsuite.testkit.SparkHome;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.SnapshotDescription;

/** HBase, a TSD and Kafka, and rollup-nightly beside them with a stock Spark. */
final class NightlyCluster implements AutoCloseable {
  static final String METRIC = "nightly.metric";
  static final String HISTOGRAM_TABLE = "tsdb-histogram-1h";
  static final String TOPIC = "rollups";

  private static final String ROLLUP_CONFIG =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
      {"table":"tsdb","preAggregationTable":"tsdb","interval":"1s","rowSpan":"1h",
      "defaultInterval":true},
      {"table":"tsdb-rollup-1h","preAggregationTable":"tsdb-rollup-1h","interval":"1h",
      "rowSpan":"1d"}]}
      """
          .replace("\n", "");

  private static final int SERIES = 3;
  private static final int STEP_SECONDS = 1800;

  private final Path dir;
  private final Stack stack;
  private final Random random = Seed.random();
  private final Map<String, String> config = new LinkedHashMap<>();

  /** A run that has ended. */
  record Run(ExitCode exitCode, String out, String err) {
    @Override
    public String toString() {
      return exitCode + "\n" + out + err;
    }
  }

  private NightlyCluster(Path dir, Stack stack) {
    this.dir = dir;
    this.stack = stack;
  }

  /**
   * Starts the servers.
   *
   * @param kafka whether Kafka is among them
   */
  static NightlyCluster start(String name, LocalDate first, boolean kafka)
      throws IOException, InterruptedException {
    return start(name, first, kafka, "");
  }

  /**
   * The same with wider rollups.
   *
   * @param intervals objects of rollup_config.json, each after a comma
   */
  static NightlyCluster start(String name, LocalDate first, boolean kafka, String intervals)
      throws IOException, InterruptedException {
    return start(name, first, kafka, intervals + "]", Map.of(), List.of());
  }

  /** The same with hourly rollups, which have sketches in tsdb-histogram-1h. */
  static NightlyCluster startWithSketches(String name, LocalDate first)
      throws IOException, InterruptedException {
    String suite =
        "],\"suite\":{\"histograms\":[{\"metrics\":\"nightly.*\",\"intervals\":\"1h\"}],"
            + "\"histogramTables\":{\"1h\":\""
            + HISTOGRAM_TABLE
            + "\"}}";
    return start(
        name,
        first,
        false,
        suite,
        Map.of(StorageSchema.HISTOGRAMS_CONFIG, TsdServer.SKETCH_CONFIG),
        TsdServer.sketchCodec());
  }

  /**
   * Starts the servers.
   *
   * @param rest of rollup_config.json, after the interval of an hour
   */
  private static NightlyCluster start(
      String name,
      LocalDate first,
      boolean kafka,
      String rest,
      Map<String, String> more,
      List<Path> plugins)
      throws IOException, InterruptedException {
    Path dir = WorkDirs.fresh(name).toAbsolutePath();
    Map<String, String> tsd = new LinkedHashMap<>(more);
    tsd.put("tsd.rollups.enable", "true");
    tsd.put("tsd.rollups.config", ROLLUP_CONFIG.replace("]}", rest + "}"));
    Stack.Builder builder = Stack.in(dir.resolve("servers")).tsd(tsd, plugins);
    NightlyCluster cluster = new NightlyCluster(dir, (kafka ? builder.kafka() : builder).start());
    cluster.configure(first, kafka);
    return cluster;
  }

  private void configure(LocalDate first, boolean kafka) throws IOException, InterruptedException {
    Path spark = SparkHome.get();
    config.put("tsd-config", stack.tsd().configFile().toString());
    config.put("first-day", first.toString());
    config.put("state-dir", dir.resolve("state").toString());
    config.put("reports", dir.resolve("reports").toString());
    config.put("hbase-root", stack.hbase().rootDir());
    config.put("job.jar", System.getProperty("spark.jar"));
    config.put(
        "spark.command",
        "env SPARK_LOCAL_IP=127.0.0.1 'JAVA_HOME=%s' 'SPARK_HOME=%s' 'SPARK_LOCAL_DIRS=%s' '%s'"
            .formatted(
                System.getProperty("java.home"),
                spark,
                dir.resolve("spark"),
                spark.resolve("bin/spark-submit")));
    config.put("spark.options", sparkOptions(""));
    if (kafka) {
      stack.kafka().createTopic(TOPIC, 1);
      config.put("kafka.bootstrap", stack.kafka().bootstrapServers());
      config.put("kafka.topic", TOPIC);
    }
  }

  private static String sparkOptions(String more) {
    return "--master local[2] --conf spark.ui.enabled=false --conf 'spark.driver.extraJavaOptions="
        + SparkCommand.SHORT_LIVED
        + more
        + "'";
  }

  /** Runs rollup-job at a simulated time, too, in all later runs. */
  NightlyCluster simulateJob(Instant now) {
    String classes =
        SimulatedJob.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return set(
        "spark.options",
        sparkOptions(" -Dsimulated.now=" + now)
            + " --driver-class-path '%s' --class %s"
                .formatted(classes, SimulatedJob.class.getName()));
  }

  Path dir() {
    return dir;
  }

  Stack stack() {
    return stack;
  }

  /** Sets keys of the configuration, for all later runs. */
  NightlyCluster set(String key, String value) {
    config.put(key, value);
    return this;
  }

  /**
   * Exports the snapshots of all later runs.
   *
   * @param prune options of rollup-job prune; empty for none
   * @return the target
   */
  Path export(String prune) {
    Path bin = HBaseCommands.write(dir.resolve("hbase"), stack.hbase().clientSite(), Map.of());
    Path exports = dir.resolve("exports");
    set("export.root", exports.toUri().toString().replaceAll("/$", ""));
    set(
        "export.command",
        "'" + bin.resolve("hbase") + "' org.apache.hadoop.hbase.snapshot.ExportSnapshot");
    set("export.options", "-mappers 1 -no-checksum-verify");
    set("prune.options", prune);
    return exports;
  }

  /** Runs report-metrics.py after all later runs. */
  NightlyCluster reportMetrics() throws IOException {
    Path script = Path.of("..", "docs", "operations", "report-metrics.py").toRealPath();
    return set("metrics.command", "python3 " + script);
  }

  /** The configuration with some keys changed, as a file of its own. */
  Path config(String name, Map<String, String> changed) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(config);
    all.putAll(changed);
    List<String> lines = new ArrayList<>();
    all.forEach((key, value) -> lines.add(key + " = " + value));
    return Files.write(dir.resolve(name + ".conf"), lines);
  }

  /** 02:00 UTC, two hours after a day has ended. */
  static Instant nightAfter(LocalDate day) {
    return day.plusDays(1).atTime(2, 0).toInstant(ZoneOffset.UTC);
  }

  /** Runs in this JVM. */
  Run run(Instant now, String... args) throws IOException {
    return run(now, Map.of(), args);
  }

  /** Runs in this JVM with some keys changed. */
  Run run(Instant now, Map<String, String> changed, String... args) throws IOException {
    List<String> all = new ArrayList<>(List.of("--config", config("nightly", changed).toString()));
    all.addAll(List.of(args));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ExitCode code =
        SimulatedNight.run(
            now,
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            all.toArray(String[]::new));
    return new Run(code, out.toString(), err.toString());
  }

  /** Starts a run in a JVM of its own, whose default time zone has summer time. */
  Process start(Instant now) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Duser.timezone=America/New_York",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            SimulatedNight.class.getName(),
            now.toString(),
            "--config",
            config("process", Map.of()).toString())
        .redirectOutput(dir.resolve("out.txt").toFile())
        .redirectError(dir.resolve("err.txt").toFile())
        .start();
  }

  /** Points of a day: some series, every half hour, drawn values. */
  void putDay(LocalDate day) {
    List<DataPoint> points = new ArrayList<>();
    long begin = day.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    for (int series = 0; series < SERIES; series++) {
      for (int second = 0; second < 24 * 3600; second += STEP_SECONDS) {
        Object value =
            series % 2 == 0 ? (Object) (long) random.nextInt(1000) : (Object) random.nextDouble();
        points.add(new DataPoint(METRIC, begin + second, value, Map.of("host", "h" + series)));
      }
    }
    stack.tsd().client().put(points);
  }

  /** A late point of a day, between two that are there. */
  void putLate(LocalDate day) {
    long time =
        day.atStartOfDay(ZoneOffset.UTC).toEpochSecond()
            + STEP_SECONDS * (long) random.nextInt(48)
            + 60;
    stack
        .tsd()
        .client()
        .put(
            List.of(
                new DataPoint(METRIC, time, (long) random.nextInt(1000), Map.of("host", "h1"))));
  }

  /** Compares the rollups in Kafka with what the TSD answers from raw data. */
  void requireRollups(LocalDate first, LocalDate last) {
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(TOPIC).forEach(message -> messages.add(message.value()));
    var expected =
        new TsdOracle(stack.tsd().client())
            .rollups(
                METRIC,
                first.atStartOfDay(ZoneOffset.UTC).toEpochSecond(),
                last.plusDays(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond(),
                "1h");
    assertThat(expected)
        .hasSize((int) (SERIES * 24 * (last.toEpochDay() - first.toEpochDay() + 1)));
    assertThat(RollupDiff.of(expected, messages.rollups())).isEmpty();
  }

  /** Changes the TTL of the data table. */
  void ttl(Duration ttl) throws IOException {
    TableName table = TableName.valueOf("tsdb");
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      for (ColumnFamilyDescriptor family : admin.getDescriptor(table).getColumnFamilies()) {
        admin.modifyColumnFamily(
            table,
            ColumnFamilyDescriptorBuilder.newBuilder(family)
                .setTimeToLive((int) ttl.toSeconds())
                .build());
      }
    }
  }

  /** Takes a snapshot of the data table. */
  void snapshot(String name) throws IOException {
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      admin.snapshot(name, TableName.valueOf("tsdb"));
    }
  }

  /** Names of the snapshots on HBase, sorted. */
  List<String> snapshots() throws IOException {
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      return admin.listSnapshots().stream().map(SnapshotDescription::getName).sorted().toList();
    }
  }

  @Override
  public void close() {
    stack.close();
  }
}
