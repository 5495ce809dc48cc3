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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Snapshots of a TSD's tables, their way to S3, and the rollup job over them. */
final class RollupRun {
  private static final String BUCKET = "backup";
  private static final String ROOT = "s3a://" + BUCKET + "/hbase";
  private static final String DATA_SNAPSHOT = "tsdb-snapshot";
  private static final String UID_SNAPSHOT = "tsdb-uid-snapshot";

  private final Stack stack;
  private final Path tsdConfig;
  private final Console console;

  /**
   * @param stack with HBase, Kafka and S3
   * @param tsdConfig the TSD's opentsdb.conf
   * @param console says what is done
   */
  RollupRun(Stack stack, Path tsdConfig, Console console) {
    this.stack = stack;
    this.tsdConfig = tsdConfig;
    this.console = console;
  }

  /**
   * Takes the snapshots and exports them.
   *
   * @throws IOException when HBase or S3 refuses
   */
  void export() throws IOException {
    HBaseServer hbase = stack.hbase();
    S3Server s3 = stack.s3();
    s3.createBucket(BUCKET);
    console.step("snapshots of tsdb and tsdb-uid, exported to %s with ExportSnapshot", ROOT);
    hbase.snapshot("tsdb", DATA_SNAPSHOT);
    hbase.snapshot("tsdb-uid", UID_SNAPSHOT);
    for (String snapshot : List.of(DATA_SNAPSHOT, UID_SNAPSHOT)) {
      hbase.exportSnapshot(snapshot, ROOT, s3.s3aProperties());
    }
  }

  /**
   * Runs the job.
   *
   * @param from first hour, seconds since the epoch
   * @param to last hour, exclusive
   * @param holdBack how far the rollups stay behind the present
   * @param topic where to
   * @param report the job's own report
   */
  ExitCode roll(long from, long to, Duration holdBack, String topic, Path report) {
    Map<String, String> spark = new TreeMap<>();
    spark.put("spark.master", "local[2]");
    spark.put("spark.ui.enabled", "false");
    spark.put("spark.driver.host", "127.0.0.1");
    spark.put("spark.driver.bindAddress", "127.0.0.1");
    // Credentials that can only read: the job needs no more.
    stack
        .s3()
        .readOnlyView()
        .s3aProperties()
        .forEach((key, value) -> spark.put("spark.hadoop." + key, value));
    spark.forEach(System::setProperty);
    List<String> args =
        List.of(
            "--snapshot-root=" + ROOT,
            "--data-snapshot=" + DATA_SNAPSHOT,
            "--uid-snapshot=" + UID_SNAPSHOT,
            "--tsd-config=" + tsdConfig,
            "--from=" + Instant.ofEpochSecond(from),
            "--to=" + Instant.ofEpochSecond(to),
            "--hold-back=" + holdBack.toSeconds() + "s",
            "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
            "--topic=" + topic,
            "--report=" + report);
    console.step("rollup-job %s", String.join(" ", args));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return new RollupMain(out, err).run(args.toArray(String[]::new));
  }
}
