package io.tsdbsuite.quickstart;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.Stack;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Takes snapshots of a TSD's tables, and runs the rollup job and its verify over them. */
final class RollupJobRun {
  private static final String BUCKET = "backup";
  private static final String ROOT = "s3a://" + BUCKET + "/hbase";
  private static final String DATA_SNAPSHOT = "tsdb-snapshot";
  private static final String UID_SNAPSHOT = "tsdb-uid-snapshot";
  private static final String LAST = "last-";

  private static final Map<String, String> SPARK =
      Map.of(
          "spark.master", "local[2]",
          "spark.ui.enabled", "false",
          "spark.driver.host", "127.0.0.1",
          "spark.driver.bindAddress", "127.0.0.1");

  private final Environment run;
  private final Stack stack;

  RollupJobRun(Environment run) {
    this.run = run;
    this.stack = run.stack();
  }

  /**
   * Takes the snapshots and exports them.
   *
   * @throws IOException when HBase or S3 fails
   */
  void export() throws IOException {
    HBaseServer hbase = stack.hbase();
    S3Server s3 = stack.s3();
    s3.createBucket(BUCKET);
    run.step("snapshots of tsdb and tsdb-uid, exported to %s with ExportSnapshot", ROOT);
    hbase.snapshot("tsdb", DATA_SNAPSHOT);
    hbase.snapshot("tsdb-uid", UID_SNAPSHOT);
    for (String snapshot : List.of(DATA_SNAPSHOT, UID_SNAPSHOT)) {
      hbase.exportSnapshot(snapshot, ROOT, s3.s3aProperties());
    }
  }

  /**
   * Runs the job.
   *
   * @param from first hour, midnight, seconds since the epoch
   * @param to last hour, exclusive, midnight
   * @param intervals intervals to roll up
   * @param metrics metrics to roll up
   * @param topic target topic
   * @param report location of the job's report
   */
  ExitCode roll(
      long from, long to, List<String> intervals, List<String> metrics, String topic, Path report) {
    stack
        .s3()
        .s3aProperties()
        .forEach((key, value) -> System.setProperty("spark.hadoop." + key, value));
    return run(
        List.of(
            "--snapshot-root=" + ROOT,
            "--data-snapshot=" + DATA_SNAPSHOT,
            "--uid-snapshot=" + UID_SNAPSHOT,
            "--tsd-config=" + run.tsdConfig(),
            "--interval=" + String.join(",", intervals),
            "--metrics=" + String.join(",", metrics),
            "--from=" + Instant.ofEpochSecond(from),
            "--to=" + Instant.ofEpochSecond(to),
            "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
            "--topic=" + topic,
            "--report=" + report));
  }

  /**
   * Adds to the coverage what a run proves: looks in HBase until all of its rollups are there.
   *
   * @param report the run's report
   */
  ExitCode cover(Path report) {
    return run(
        List.of("coverage", "add", "--evidence=" + report, "--tsd-config=" + run.tsdConfig()));
  }

  /**
   * Takes snapshots for {@link #verify}, of the raw data and of rollup tables.
   *
   * @param tables tables of the rollups
   * @throws IOException when HBase fails
   */
  void snapshotForVerify(Collection<String> tables) throws IOException {
    List<String> all = new ArrayList<>(tables);
    all.addAll(List.of("tsdb", "tsdb-uid"));
    for (String table : all) {
      stack.hbase().snapshot(table, LAST + table);
    }
  }

  /**
   * Compares stored rollups with raw data, in the snapshots of {@link #snapshotForVerify}. Prints
   * the table of the comparison.
   *
   * @param metric the metric to compare
   * @param from first hour, seconds since the epoch
   * @param to last hour, exclusive
   * @param tables table of the rollups by interval
   */
  ExitCode verify(String metric, long from, long to, Map<String, String> tables) {
    return run(
        List.of(
            "verify",
            "--snapshot-root=" + stack.hbase().rootDir(),
            "--data-snapshot=" + LAST + "tsdb",
            "--uid-snapshot=" + LAST + "tsdb-uid",
            "--tsd-config=" + run.tsdConfig(),
            "--metrics=" + metric,
            "--interval=" + String.join(",", tables.keySet()),
            "--from=" + Instant.ofEpochSecond(from),
            "--to=" + Instant.ofEpochSecond(to),
            "--against-snapshot="
                + tables.values().stream().map(LAST::concat).collect(Collectors.joining(","))));
  }

  private ExitCode run(List<String> args) {
    SPARK.forEach(System::setProperty);
    run.step("rollup-job %s", String.join(" ", args));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return new RollupMain(out, err).run(args.toArray(String[]::new));
  }
}
