package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.rollup.job.JobKernel;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.S3Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * An S3 server with a bucket of snapshots, and a Kafka broker. Unlike in tests, their JVMs use all
 * tiers of the compiler.
 */
final class JobServers implements AutoCloseable {
  /** The snapshot of the UID table. */
  static final String UIDS = "uids";

  private static final String BUCKET = "backup";
  private static final String TOPIC = "rollups";
  private static final int HOURS = 24;
  private static final int SERIES = 500;

  /**
   * The full heap from the start, as docs/rollup-job.md advises: otherwise G1 keeps the heap small
   * and collects more often.
   */
  private static final List<String> FULL_HEAP = List.of("-Xms2g");

  private static final int TOPIC_PARTITIONS = 8;
  private static final int NODE = 1;
  private static final int REGIONS = 8;
  private static final int DIFFERENT_POINTS = 1 << 17;
  private static final String FLAGS_KEY = "testkit.jvm.flags";
  private static final String FLAGS =
      "-XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC -Xmx512m";

  private final S3Server s3;
  private final KafkaServer kafka;
  private final Path root;
  private final Configuration conf;

  JobServers(Path dir) throws IOException {
    System.setProperty(FLAGS_KEY, FLAGS);
    try {
      s3 = S3Server.start(dir.resolve("s3"));
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
    s3.createBucket(BUCKET);
    kafka.createTopic(TOPIC, TOPIC_PARTITIONS);
    root = s3.directory(BUCKET).resolve("hbase");
    conf = TestTable.conf(root);
    JobNames.write(conf, root, UIDS, TableRows.SCHEMA.tagvWidth(), JobNames.TAGVS, 1);
  }

  /** Creates a table of whole days, SNAPPY and FAST_DIFF, and its snapshot. */
  void table(String snapshot, RowShape shape, int metrics) throws IOException {
    Random random = new Random(shape.points());
    List<BenchRow> like = new ArrayList<>();
    for (int i = 0; i < DIFFERENT_POINTS / shape.points(); i++) {
      like.add(shape.row(random));
    }
    JobRows rows = new JobRows(like, metrics, HOURS, SERIES);
    TestTable.write(
        conf,
        root,
        "tsdb-" + snapshot,
        TestTable.FAMILY,
        snapshot,
        Compression.Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        rows.regions(REGIONS));
  }

  /**
   * Runs the job in the variants of {@link JobKernel}.
   *
   * @param warm warm-up runs
   * @param runs measured runs of each round
   */
  KernelRun run(Bench bench, String master, String rounds, List<String> warm, List<String> runs)
      throws IOException, InterruptedException {
    List<String> settings = settings();
    settings.add("master=" + master);
    settings.add("rounds=" + rounds);
    settings.add("warm=" + String.join(",", warm));
    settings.add("runs=" + String.join(",", runs));
    return bench.fork(FULL_HEAP, JobKernel.class, settings.toArray());
  }

  /**
   * Runs the job once and returns the average size of its messages in the topic's log, bytes. Only
   * for the first runs: later the broker deletes messages meanwhile.
   */
  double bytesPerMessage(Bench bench, String run) throws IOException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      long bytesBefore = bytes(admin);
      long offsetsBefore = latestOffsets(admin);
      run(bench, "local[2]", "0", List.of(run), List.of());
      return (double) (bytes(admin) - bytesBefore) / (latestOffsets(admin) - offsetsBefore);
    } catch (ExecutionException e) {
      throw new IllegalStateException("topic " + TOPIC + " was not described", e);
    }
  }

  private static long bytes(Admin admin) throws ExecutionException, InterruptedException {
    return Objects.requireNonNull(
            admin.describeLogDirs(List.of(NODE)).allDescriptions().get().get(NODE))
        .values()
        .stream()
        .flatMap(dir -> dir.replicaInfos().entrySet().stream())
        .filter(replica -> replica.getKey().topic().equals(TOPIC))
        .mapToLong(replica -> replica.getValue().size())
        .sum();
  }

  private static long latestOffsets(Admin admin) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int partition = 0; partition < TOPIC_PARTITIONS; partition++) {
      latest.put(new TopicPartition(TOPIC, partition), OffsetSpec.latest());
    }
    return admin.listOffsets(latest).all().get().values().stream()
        .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
        .sum();
  }

  private List<String> settings() {
    List<String> settings = new ArrayList<>();
    settings.add("root=s3a://" + BUCKET + "/hbase");
    settings.add("restore=s3a://" + BUCKET + "/restored");
    settings.add("uids=" + UIDS);
    settings.add("bootstrap=" + kafka.bootstrapServers());
    settings.add("topic=" + TOPIC);
    settings.add("s3Pid=" + s3.pid());
    settings.add("kafkaPid=" + kafka.pid());
    settings.add("from=" + TableRows.START);
    settings.add("hours=" + HOURS);
    settings.addAll(s3Settings(s3));
    return settings;
  }

  /** Settings of a kernel that reads files which were written into a bucket's directory. */
  static List<String> s3Settings(S3Server s3) {
    List<String> settings = new ArrayList<>();
    s3.s3aProperties().forEach((key, value) -> settings.add("hadoop." + key + "=" + value));
    // Such files have no ETag.
    settings.add("hadoop.fs.s3a.change.detection.version.required=false");
    return settings;
  }

  @Override
  public void close() {
    kafka.close();
    s3.close();
  }
}
