package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Runs of rollup-job in this JVM, over snapshots taken for each of them. */
final class RollupJob {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SystemStack stack = SystemStack.get();
  private final Path directory = SystemStack.directory("rollup-job");
  private int snapshots;

  RollupJob() throws IOException {}

  /** What a run came to. */
  record Run(ExitCode exitCode, String output, Path file, JsonNode report) {}

  /** Takes snapshots of the raw data, and sends the rollups of a window to the rollups' topic. */
  Run roll(long from, long to, String... more) throws IOException {
    String name = snapshotRawData();
    List<String> options = new ArrayList<>(kafka());
    options.addAll(window(from, to));
    options.addAll(List.of(more));
    Run run = run(name, options);
    assertThat(run.exitCode()).as(run.output()).isEqualTo(ExitCode.DONE);
    return run;
  }

  /** Takes snapshots of all tables, and compares stored rollups with the raw data. */
  Run verify(List<String> intervals, long from, long to, String... more) throws IOException {
    String name = snapshotRawData();
    List<String> stored = new ArrayList<>();
    for (String interval : intervals) {
      stored.add(name + "-" + interval);
      stack.hbase().snapshot(SystemStack.table(interval), name + "-" + interval);
    }
    List<String> options = new ArrayList<>(List.of("verify"));
    options.add("--interval=" + String.join(",", intervals));
    options.add("--against-snapshot=" + String.join(",", stored));
    options.addAll(window(from, to));
    options.addAll(List.of(more));
    return run(name, options);
  }

  /** Requires that rollups of a window are compared, and that all are equal. */
  long requireEqual(List<String> intervals, long from, long to, String... more) throws IOException {
    Run run = verify(intervals, from, to, more);
    assertThat(run.exitCode()).as(run.output()).isEqualTo(ExitCode.DONE);
    JsonNode compared = run.report().get("compared");
    for (String finding : List.of("different", "missing", "extra")) {
      assertThat(compared.get(finding).asLong()).as(finding).isZero();
    }
    for (String interval : intervals) {
      assertThat(compared.at("/byInterval/" + interval + "/equal").asLong())
          .as(interval)
          .isPositive();
    }
    return compared.get("equal").asLong();
  }

  private static List<String> window(long from, long to) {
    return List.of("--from=" + Instant.ofEpochSecond(from), "--to=" + Instant.ofEpochSecond(to));
  }

  /** Takes snapshots NAME-data and NAME-uid; returns NAME. */
  String snapshotRawData() throws IOException {
    String name = "s" + ++snapshots;
    stack.hbase().snapshot(SystemStack.DATA_TABLE, name + "-data");
    // After the data, so that it has the names of all.
    stack.hbase().snapshot(SystemStack.UID_TABLE, name + "-uid");
    return name;
  }

  /** Exports a snapshot to S3, also over an earlier export of it. */
  void export(String snapshot, String root, Map<String, String> s3a) {
    Map<String, String> properties = new HashMap<>(s3a);
    // The tool does not work with HBase's own choice.
    properties.put("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
    stack.hbase().exportSnapshotAgain(snapshot, root, properties);
  }

  /**
   * Rolls up a window from exported snapshots NAME-data and NAME-uid, and sends the rollups to
   * their topic.
   *
   * @param run name of the report
   */
  Run rollExport(
      String root,
      String name,
      String run,
      Map<String, String> s3a,
      long from,
      long to,
      List<String> more)
      throws IOException {
    List<String> options = new ArrayList<>(kafka());
    options.addAll(window(from, to));
    // Several partitions, so that a resumed run finds finished ones.
    options.add("--partition-size=0.02");
    options.addAll(more);
    Map<String, String> spark = new HashMap<>();
    s3a.forEach((key, value) -> spark.put("spark.hadoop." + key, value));
    return run(run, root, name, spark, options);
  }

  /** Adds the coverage of a run to Kafka, when its rollups are stored. */
  Run addCoverage(Run run) throws IOException {
    Path report = directory.resolve("coverage.json");
    return main(
        report,
        List.of(
            "coverage",
            "add",
            "--evidence=" + run.file(),
            "--tsd-config=" + stack.tsd().configFile(),
            "--patience=1m",
            "--report=" + report),
        Map.of());
  }

  private List<String> kafka() {
    return List.of(
        "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
        "--topic=" + SystemStack.ROLLUPS,
        "--interval=" + String.join(",", SystemStack.INTERVALS));
  }

  private Run run(String name, List<String> options) throws IOException {
    return run(name, stack.hbase().rootDir(), name, Map.of(), options);
  }

  private Run run(
      String run, String root, String name, Map<String, String> spark, List<String> options)
      throws IOException {
    Path report = directory.resolve(run + ".json");
    List<String> arguments = new ArrayList<>(options);
    arguments.add("--snapshot-root=" + root);
    arguments.add("--data-snapshot=" + name + "-data");
    arguments.add("--uid-snapshot=" + name + "-uid");
    arguments.add("--tsd-config=" + stack.tsd().configFile());
    arguments.add("--report=" + report);
    return main(report, arguments, spark);
  }

  /** Runs a command, which must write its report. */
  static Run main(Path report, List<String> arguments, Map<String, String> spark)
      throws IOException {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    Properties before = (Properties) System.getProperties().clone();
    ExitCode exitCode;
    try {
      System.setProperty("spark.master", "local[2]");
      System.setProperty("spark.ui.enabled", "false");
      System.setProperty("spark.driver.host", "127.0.0.1");
      System.setProperty("spark.driver.bindAddress", "127.0.0.1");
      spark.forEach(System::setProperty);
      exitCode = new RollupMain(writer, writer).run(arguments.toArray(String[]::new));
    } finally {
      System.setProperties(before);
    }
    assertThat(report).as(output.toString()).exists();
    return new Run(exitCode, output.toString(), report, JSON.readTree(report.toFile()));
  }

  /**
   * Starts a command in a JVM of its own, so that it can be killed.
   *
   * @param temporary its directory for temporary files
   */
  static Process child(Path temporary, Path output, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + temporary,
            "-Dspark.master=local[2]",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-cp",
            System.getProperty("java.class.path"),
            RollupMain.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
