package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.quickstart.data.HistoryFiles;
import io.tsdbsuite.quickstart.data.Latency;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.stream.Topics;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.S3Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Runs bulk-loader and rollup-job in this JVM, with the options that a user gives. They print their
 * books and tables.
 *
 * @param directory of all files
 */
record Jobs(Environment run, Path directory) {
  /** Directory of bulk-loader's files. */
  static final String LOADER = "bulk-loader";

  /** The intervals that rollup-job makes. */
  static final List<String> INTERVALS = List.of("1h", "6h", "1d");

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

  /**
   * Writes the points of all whole days as text, loads them with bulk-loader, and compares those of
   * the last month and of the month before it with the table.
   *
   * @return whether every point is in the table
   */
  boolean load() throws IOException {
    Path work = directory.resolve(LOADER);
    Path history = work.resolve("history");
    RequestRate rate = run.rate();
    long to = run.window().streamFrom();
    double begin = run.console().seconds();
    Latency latency = new Latency();
    long points = HistoryFiles.write(rate, history, run.window().from(), to);
    points += HistoryFiles.write(latency, history, run.window().from(), to);
    run.step(
        "%,d points of %s, %d series, and of %s, %d series, at %d s, exported as text in %.1f s:"
            + " %s",
        points,
        RequestRate.METRIC,
        rate.series(),
        Latency.METRIC,
        latency.series(),
        RequestRate.STEP_SECONDS,
        run.console().seconds() - begin,
        history);
    YearMonth month = YearMonth.from(Instant.ofEpochSecond(to - 1).atOffset(ZoneOffset.UTC));
    return bulkLoader(
            "load",
            "--tsd-config=" + run.tsdConfig(),
            "--mode=hfile",
            "--hfile-dir=" + work.resolve("hfiles"),
            "--work-dir=" + work.resolve("load"),
            "--input=" + history)
        && bulkLoader(
            "verify",
            "--tsd-config=" + run.tsdConfig(),
            "--work-dir=" + work.resolve("verify"),
            "--input=" + history,
            "--include=*-" + month.minusMonths(1) + "-*",
            "--include=*-" + month + "-*");
  }

  /**
   * Waits until a snapshot may be taken: queries do not use rollups of one that is taken within a
   * minute after the load.
   */
  void awaitSnapshot() throws IOException, InterruptedException {
    JsonNode report =
        new ObjectMapper().readTree(directory.resolve(LOADER).resolve("load/report.json").toFile());
    Instant from = Instant.parse(report.path("snapshotFrom").asText());
    Duration left = Duration.between(run.clock().instant(), from);
    if (!left.isNegative()) {
      run.step("waits until %s, before which no snapshot shows what was loaded", from);
      Thread.sleep(left.toMillis());
    }
  }

  /** Takes snapshots for {@link #roll}, and exports them to S3. */
  void export() throws IOException {
    HBaseServer hbase = run.stack().hbase();
    S3Server s3 = run.stack().s3();
    s3.createBucket(BUCKET);
    run.step("snapshots of tsdb and tsdb-uid, exported to %s with ExportSnapshot", ROOT);
    hbase.snapshot("tsdb", DATA_SNAPSHOT);
    hbase.snapshot("tsdb-uid", UID_SNAPSHOT);
    for (String snapshot : List.of(DATA_SNAPSHOT, UID_SNAPSHOT)) {
      hbase.exportSnapshot(snapshot, ROOT, s3.s3aProperties());
    }
  }

  /**
   * Rolls up all whole days with rollup-job.
   *
   * @param report location of the job's report
   * @return whether it is done
   */
  boolean roll(List<String> metrics, Path report) {
    run.stack()
        .s3()
        .s3aProperties()
        .forEach((key, value) -> System.setProperty("spark.hadoop." + key, value));
    return rollupJob(
        "--snapshot-root=" + ROOT,
        "--data-snapshot=" + DATA_SNAPSHOT,
        "--uid-snapshot=" + UID_SNAPSHOT,
        "--tsd-config=" + run.tsdConfig(),
        "--interval=" + String.join(",", INTERVALS),
        "--metrics=" + String.join(",", metrics),
        "--from=" + Instant.ofEpochSecond(run.window().from()),
        "--to=" + Instant.ofEpochSecond(run.window().streamFrom()),
        "--kafka-bootstrap=" + run.stack().kafka().bootstrapServers(),
        "--topic=" + Topics.ROLLUPS,
        "--report=" + report);
  }

  /**
   * Lets the coverage have percentiles, and adds to it what a run proves: looks in HBase until all
   * of its rollups are there.
   */
  boolean cover(Path report) {
    return rollupJob("coverage", "upgrade", "--levels", "--tsd-config=" + run.tsdConfig())
        && rollupJob("coverage", "add", "--evidence=" + report, "--tsd-config=" + run.tsdConfig());
  }

  /** Takes snapshots for {@link #verify}, of the raw data and of the rollups of intervals. */
  void snapshotForVerify(List<String> intervals) throws IOException {
    List<String> tables = new ArrayList<>(List.of("tsdb", "tsdb-uid"));
    intervals.forEach(interval -> tables.add(run.interval(interval).table()));
    for (String table : tables) {
      run.stack().hbase().snapshot(table, LAST + table);
    }
  }

  /**
   * Compares stored rollups with raw data, in the snapshots of {@link #snapshotForVerify}.
   *
   * @param from first hour, seconds since the epoch
   * @param to last hour, exclusive
   * @return whether there are no differences
   */
  boolean verify(long from, long to, List<String> intervals) {
    return rollupJob(
        "verify",
        "--snapshot-root=" + run.stack().hbase().rootDir(),
        "--data-snapshot=" + LAST + "tsdb",
        "--uid-snapshot=" + LAST + "tsdb-uid",
        "--tsd-config=" + run.tsdConfig(),
        "--metrics=" + RequestRate.METRIC + "," + Latency.METRIC,
        "--interval=" + String.join(",", intervals),
        "--from=" + Instant.ofEpochSecond(from),
        "--to=" + Instant.ofEpochSecond(to),
        "--against-snapshot="
            + intervals.stream()
                .map(interval -> LAST + run.interval(interval).table())
                .collect(Collectors.joining(",")));
  }

  private boolean bulkLoader(String... args) {
    return run(
        "bulk-loader", args, (out, err) -> new BulkLoaderMain(out, err, run.clock()).run(args));
  }

  private boolean rollupJob(String... args) {
    SPARK.forEach(System::setProperty);
    return run("rollup-job", args, (out, err) -> new RollupMain(out, err).run(args));
  }

  private boolean run(
      String name, String[] args, BiFunction<PrintWriter, PrintWriter, ExitCode> program) {
    run.step("%s %s", name, String.join(" ", args));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    ExitCode code = program.apply(out, err);
    if (code != ExitCode.DONE) {
      run.step("%s failed with exit code %d", name, code.code());
    }
    return code == ExitCode.DONE;
  }
}
