package io.tsdbsuite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseCommands;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;

/**
 * rollup-nightly with its files and its child processes: snapshots on HBase, their exports, HFiles
 * and reports on HDFS, the job on YARN. The clock of each run is set; all else is what users have.
 */
final class NightlyRuns {
  /** The day of {@link Points#FROM}. */
  static final LocalDate FIRST = LocalDate.ofEpochDay(Points.FROM / Points.DAY);

  /** Rollups of one day, in both intervals. */
  static final int ROLLUPS = 300;

  private static final int SERIES = 12;
  private static final long LATE = 5 * 3600 + 7;

  private final ClusterStack stack;
  private final String tables;
  private final TsdServer tsd;
  private final Path dir;
  private final String reports;
  private final Random random = Seed.random();
  private final Map<String, String> config = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();

  /**
   * Makes the tables, and the configuration of the runs.
   *
   * @param tables prefix of the tables' names
   * @param submit how the job is submitted, in client mode
   * @param home directory on HDFS for HFiles and reports
   * @param exports target of ExportSnapshot, a directory on HDFS
   * @param exportEnvironment variables of ExportSnapshot, {@code NAME=value}
   */
  NightlyRuns(
      ClusterStack stack,
      String tables,
      YarnSubmit submit,
      String home,
      String exports,
      List<String> exportEnvironment)
      throws IOException, InterruptedException {
    this.stack = stack;
    this.tables = tables;
    this.tsd = stack.tsd(tables);
    this.dir = stack.directory("nightly");
    this.reports = stack.hadoop().uri() + home + "/reports";
    Path commands =
        HBaseCommands.write(
            dir.resolve("commands"),
            stack.hbase().master().clientSite(),
            stack.hadoop().clientSite());
    List<String> export = new ArrayList<>(List.of("env"));
    export.addAll(exportEnvironment);
    export.add(commands.resolve("hbase").toString());
    export.add("org.apache.hadoop.hbase.snapshot.ExportSnapshot");
    List<String> spark = new ArrayList<>(List.of("env"));
    submit.environment().forEach((name, value) -> spark.add(name + "=" + value));
    spark.add(YarnSubmit.program());
    config.put("tsd-config", tsd.configFile().toString());
    config.put("first-day", FIRST.toString());
    config.put("state-dir", dir.resolve("state").toString());
    config.put("reports", reports);
    config.put("export.root", stack.hadoop().uri() + exports);
    config.put("export.command", words(export));
    config.put("spark.command", words(spark));
    config.put("spark.options", words(submit.options()));
    config.put("job.jar", System.getProperty("rollup.jar"));
    config.put(
        "job.options",
        "--interval 1h,1d --sink hfile --hfile-dir " + stack.hadoop().uri() + home + "/hfiles");
    config.put("verify.sample", "1");
    config.put("verify.patience", "0s");
    environment.put("HADOOP_CONF_DIR", stack.hadoop().confDir().toString());
    environment.put("HBASE_CONF_DIR", stack.hadoop().confDir().toString());
  }

  private static String words(List<String> words) {
    return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
  }

  /** Sets a key of the configuration. */
  NightlyRuns set(String key, String value) {
    config.put(key, value);
    return this;
  }

  /** Sets a variable of the runs' environment. */
  NightlyRuns environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  TsdServer tsd() {
    return tsd;
  }

  /** Points of a day. */
  void putDay(LocalDate day) {
    tsd.client().put(Points.drawn(random, day.toEpochDay() * Points.DAY), 500);
  }

  /** A late point of a day. */
  void putLate(LocalDate day) {
    long time = day.toEpochDay() * Points.DAY + LATE;
    tsd.client()
        .put(List.of(new DataPoint(Points.METRICS.get(1), time, 123_456L, Map.of("host", "h1"))));
  }

  /** Runs two hours after the end of a day, and some more. */
  Program.Outcome runAfter(LocalDate day, Duration more) throws IOException, InterruptedException {
    Instant now = day.plusDays(1).atTime(2, 0).toInstant(ZoneOffset.UTC).plus(more);
    List<String> lines = new ArrayList<>();
    config.forEach((key, value) -> lines.add(key + " = " + value));
    Path file = Files.write(dir.resolve("nightly.conf"), lines);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    command.addAll(stack.jvmFlags());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("nightly.jar")
                + File.pathSeparator
                + System.getProperty("nightly.tests"),
            "io.tsdbsuite.nightly.it.SimulatedNight",
            now.toString(),
            "--config",
            file.toString()));
    try (Program program = Program.start(dir, environment, command)) {
      return program.await();
    }
  }

  private void require(Program.Outcome outcome, String... told) throws IOException {
    assertThat(outcome.exitCode()).as(outcome.output() + logs()).isZero();
    assertThat(outcome.output()).contains(told);
  }

  /** What the child processes have said. */
  String logs() throws IOException {
    Path logs = dir.resolve("state/logs");
    StringBuilder text = new StringBuilder();
    try (var files = Files.list(logs)) {
      for (Path log : files.filter(Files::isRegularFile).sorted().toList()) {
        text.append("==> ").append(log.getFileName()).append('\n').append(Files.readString(log));
      }
    }
    return text.toString();
  }

  /** Name of the data snapshot of the night after a day. */
  private String snapshot(LocalDate day) {
    return tables + "-data-" + day.plusDays(1).toString().replace("-", "");
  }

  /**
   * A night, the same night again, a night without a run, and the night after it with late data. At
   * the end all that is stored equals what the TSD makes of the raw data.
   */
  void nights() throws Exception {
    putDay(FIRST);
    require(
        runAfter(FIRST, Duration.ZERO),
        FIRST + ": rolled up from " + snapshot(FIRST) + ", HFiles loaded, verified; took ",
        "exported " + snapshot(FIRST));
    Program.Outcome again = runAfter(FIRST, Duration.ofHours(1));
    require(again, "rollup-nightly: exit code 0; no day is due\n");

    LocalDate missed = FIRST.plusDays(1);
    LocalDate last = FIRST.plusDays(2);
    putDay(missed);
    putLate(FIRST);
    putDay(last);
    require(
        runAfter(last, Duration.ZERO),
        missed + ": rolled up from " + snapshot(last) + " with late data, HFiles loaded, verified",
        last + ": rolled up from " + snapshot(last) + ", HFiles loaded, verified");
    for (LocalDate day : List.of(FIRST, missed, last)) {
      assertThat(report("verify-" + day)).containsPattern("\"equal\" : " + ROLLUPS + "\\b");
    }
    for (String interval : ClusterStack.INTERVALS) {
      long to = Points.FROM + 3 * Points.DAY;
      SortedMap<RollupKey, RollupValues> expected = Points.expected(tsd, interval, to);
      assertThat(expected).hasSize(3 * SERIES * (interval.equals("1d") ? 1 : 24));
      assertThat(RollupDiff.of(expected, Points.stored(tsd, interval, to))).as(interval).isEmpty();
    }
  }

  private String report(String name) throws IOException {
    try (FileSystem hdfs = stack.hadoop().fileSystem();
        InputStream in = hdfs.open(new org.apache.hadoop.fs.Path(reports, name + ".json"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
