package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.S3Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker, a directory or an S3 bucket of snapshots, and the JVMs that run the whole job
 * between them. Unlike in tests, the servers' JVMs use all tiers of the compiler.
 */
final class JobServers implements AutoCloseable {
  private static final String BUCKET = "backup";
  private static final String TOPIC = "rollups";
  private static final int TOPIC_PARTITIONS = 8;
  private static final int DAY = 24;
  private static final int SERIES = 500;
  private static final int REGIONS = 8;
  private static final String FLAGS_KEY = "testkit.jvm.flags";
  private static final String FLAGS =
      "-XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC -Xmx512m";

  /**
   * The full heap from the start, as docs/rollup-job.md advises: otherwise G1 keeps the heap small
   * and collects more often.
   */
  private static final List<String> FULL_HEAP = List.of("-Xms2g");

  private final KafkaServer kafka;
  private final @Nullable S3Server s3;
  private final Tables tables;
  private final List<String> settings = new ArrayList<>();

  /**
   * Starts the servers, and writes a UID table of a million names.
   *
   * @param isS3 whether the job reads from S3; otherwise from the local disk
   */
  JobServers(Path dir, boolean isS3) throws IOException {
    System.setProperty(FLAGS_KEY, FLAGS);
    try {
      s3 = isS3 ? S3Server.start(dir.resolve("s3")) : null;
      // No consumer reads the messages: the broker may delete them early.
      kafka =
          KafkaServer.start(
              dir.resolve("kafka"),
              Map.of(
                  "log.segment.bytes", "33554432",
                  "log.retention.bytes", "33554432",
                  "log.retention.check.interval.ms", "5000",
                  "log.segment.delete.delay.ms", "1000"));
    } finally {
      System.clearProperty(FLAGS_KEY);
    }
    kafka.createTopic(TOPIC, TOPIC_PARTITIONS);
    settings.add("bootstrap=" + kafka.bootstrapServers());
    settings.add("topic=" + TOPIC);
    if (s3 == null) {
      tables = new Tables(dir.resolve("root"));
      settings.add("root=" + tables.uri());
      settings.add("servers=" + kafka.pid());
      // Hadoop's own local file system looks for a file of checksums beside each HFile.
      settings.add("spark.hadoop.fs.file.impl=" + CountingFileSystem.class.getName());
    } else {
      s3.createBucket(BUCKET);
      tables = new Tables(s3.directory(BUCKET).resolve("hbase"));
      settings.add("root=s3a://" + BUCKET + "/hbase");
      settings.add("restore=s3a://" + BUCKET + "/restored");
      settings.add("servers=" + kafka.pid() + "," + s3.pid());
      settings.addAll(Settings.s3(s3.s3aProperties()));
    }
    tables.uids(DataRows.SCHEMA.tagvWidth(), Names.TAGVS);
    tables.empty("tsdb-rollup-1h", JobKernel.TARGET);
    tables.empty(JobKernel.HISTOGRAM_TABLE, JobKernel.HISTOGRAM_TARGET);
  }

  Tables tables() {
    return tables;
  }

  /** Creates a table of whole days, SNAPPY and FAST_DIFF, and its snapshot. */
  void table(String snapshot, RowShape shape, int metrics) throws IOException {
    tables.data(
        snapshot,
        Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        new DataRows(DataRows.like(shape), metrics, DAY, SERIES).regions(REGIONS));
  }

  /** Runs the job over the day of {@link #table}. */
  KernelRun day(String master, int warmUps, int rounds, List<String> runs)
      throws IOException, InterruptedException {
    return run(master, DAY, warmUps, rounds, runs);
  }

  /**
   * Runs the job in a JVM of its own.
   *
   * @param hours of the window, from {@link DataRows#START} on
   * @param warmUps unmeasured rounds
   * @param runs of each round, as {@link JobKernel} has them
   */
  KernelRun run(String master, int hours, int warmUps, int rounds, List<String> runs)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(settings);
    all.addAll(Settings.spark(master));
    all.add("hours=" + hours);
    all.add("warmUps=" + warmUps);
    all.add("rounds=" + rounds);
    all.add("runs=" + String.join(" ", runs));
    return JvmFork.likeThis(RollupSuite.LOG).run(FULL_HEAP, JobKernel.class.getName(), all);
  }

  @Override
  public void close() {
    kafka.close();
    if (s3 != null) {
      s3.close();
    }
  }
}
