package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.PlanFingerprint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Snapshots exported to S3, read with credentials that cannot write, rolled up into Kafka. */
class SnapshotOnS3IT {
  private static final String BUCKET = "backup";
  private static final String ROOT = "s3a://" + BUCKET + "/hbase";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static SmallData data;
  private static S3Server reader;
  private static Path bucket;
  private static Map<String, String> treeBefore;

  @BeforeAll
  static void export() {
    data = SmallData.get();
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    S3Server s3 = stack.s3();
    s3.createBucket(BUCKET);
    hbase.exportSnapshot(SmallData.DATA_SNAPSHOT, ROOT, s3.s3aProperties());
    hbase.exportSnapshot(SmallData.UID_SNAPSHOT, ROOT, s3.s3aProperties());
    reader = s3.readOnlyView();
    bucket = s3.directory(BUCKET);
    treeBefore = TestFiles.tree(bucket);
  }

  @AfterEach
  void nothingIsWrittenBelowTheRoot() {
    assertThat(treeBefore).hasSizeGreaterThan(10);
    assertThat(TestFiles.tree(bucket)).isEqualTo(treeBefore);
  }

  private static JobRun job(String name) {
    return new JobRun(TestFiles.directory(name))
        .hadoop(reader.s3aProperties())
        .with(data.input(ROOT));
  }

  @Test
  void rollupMessages() throws Exception {
    RollupTopic topic = RollupTopic.create("rollups");
    SortedMap<RollupKey, RollupValues> expected = data.answers(SmallData.FROM, SmallData.TO);
    assertThat(expected).hasSize(24 * SmallData.ROWS_PER_HOUR);
    JobRun run = secondDay("rollups", topic, "--max-messages-per-second=100000");
    RollupMessages messages = topic.messages();
    assertThat(RollupDiff.of(expected, messages.rollups())).isEmpty();
    assertThat(messages.messages()).isEqualTo(expected.size());
    requireReport(run, expected.size(), expected.size());
    requireKeys(topic);

    secondDay("rollups-again", topic);
    RollupMessages twice = topic.messages();
    assertThat(twice.messages()).isEqualTo(2L * expected.size());
    assertThat(twice.rollups()).isEqualTo(messages.rollups());
    requireKeys(topic);
  }

  @Test
  void aggregateMessages() throws Exception {
    RollupTopic topic = RollupTopic.create("aggregates");
    SortedMap<RollupKey, RollupValues> expected = data.answers(SmallData.FROM, SmallData.TO);
    JobRun run = secondDay("aggregates", topic, "--format=aggregate");
    RollupMessages messages = topic.messages();
    assertThat(RollupDiff.of(expected, messages.rollups())).isEmpty();
    assertThat(messages.messages()).isEqualTo(4L * expected.size());
    assertThat(messages.repeated()).isEmpty();
    requireReport(run, expected.size(), 4L * expected.size());
    requireKeys(topic);
  }

  @Test
  void metricPatterns() throws Exception {
    RollupTopic topic = RollupTopic.create("patterns");
    JobRun run = secondDay("patterns", topic, "--metrics=a.*,!a.b");
    SortedMap<RollupKey, RollupValues> expected =
        data.answers(
            key ->
                key.timestamp() >= SmallData.FROM
                    && key.timestamp() < SmallData.TO
                    && (key.metric().equals("a.a") || key.metric().equals("a.c")));
    assertThat(RollupDiff.of(expected, topic.messages().rollups())).isEmpty();
    JsonNode report = requireReport(run, expected.size(), expected.size());
    // One row of each excluded metric is met in each region, the others are passed over.
    assertThat(report.at("/rows/skipped/excludedMetric").longValue()).isBetween(2L, 6L);
  }

  @Test
  void dryRun() {
    RollupTopic topic = RollupTopic.create("dry");
    JobRun run = secondDay("dry", topic, "--dry-run", "--format=aggregate");
    assertThat(run.out())
        .containsPattern("plan +regions +5")
        .containsPattern("regions in the window +3")
        .containsPattern("HFiles in the window +6")
        .containsPattern("bytes in the window +[1-9]")
        .containsPattern("partitions +1")
        .containsPattern("rollups, about +[1-9]")
        .contains("no data was read");
    assertThat(run.hasReport()).isFalse();
    assertThat(topic.records()).isEmpty();
  }

  @Test
  void aDayOfThreeIsReadBySeeking() throws Exception {
    JsonNode report = seek("day", SmallData.FROM, SmallData.TO);
    long regionsInWindow = report.at("/plan/regionsInWindow").longValue();
    assertThat(report.at("/plan/regions").longValue()).isEqualTo(5);
    assertThat(regionsInWindow).isEqualTo(3);
    // Two rows are met on the way to each metric: the one before the window and the one after it.
    long outside = report.at("/rows/skipped/outsideWindow").longValue();
    assertThat(outside).isBetween(1L, 3L * (SmallData.METRICS.size() + regionsInWindow));
    assertThat(report.at("/storage/bytesRead").longValue())
        .isLessThan(wholeBytes() / 2)
        .isLessThan(report.at("/plan/fileBytes").longValue() * 6 / 10);
  }

  @Test
  void anHourOfThreeDaysIsReadBySeeking() throws Exception {
    JsonNode report = seek("hour", SmallData.FROM + SmallData.HOUR, SmallData.FROM + 7200);
    assertThat(report.at("/rows/skipped/outsideWindow").longValue()).isBetween(1L, 20L);
    assertThat(report.at("/storage/bytesRead").longValue()).isLessThan(wholeBytes() / 8);
  }

  /** The manifest has the lengths of HFiles, so S3 is asked for none, and another is found out. */
  @Test
  void aPlanTakesOneRequestForTheEndOfEachHFile() throws Exception {
    S3Server s3 = SharedStack.get().s3();
    Path copy = s3.directory("lengths");
    TestFiles.copy(bucket, copy);
    Configuration conf = new Configuration();
    s3.s3aProperties().forEach(conf::set);
    // Files that were copied into a bucket have no ETag there.
    conf.set("fs.s3a.change.detection.version.required", "false");
    Snapshot snapshot =
        new SnapshotLoader(conf, "s3a://lengths/hbase").load(SmallData.DATA_SNAPSHOT, "t");
    RowWindow window = new RowWindow(StorageSchema.defaults(), SmallData.START, SmallData.END);
    RollupPlanner planner = new RollupPlanner(snapshot, window, false, 1 << 20);
    long heads = requests(snapshot, "action_http_head_request");
    long gets = requests(snapshot, "action_http_get_request");
    RollupPlan plan = planner.plan();
    assertThat(plan.files()).isGreaterThan(5);
    assertThat(requests(snapshot, "action_http_get_request") - gets)
        .isBetween((long) plan.files(), 2L * plan.files());
    // Whether HBase's tables are below the same root.
    assertThat(requests(snapshot, "action_http_head_request") - heads).isLessThan(3);

    Path file = copy.resolve(hfile(snapshot));
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {bytes.length + 1, bytes.length - 1, bytes.length / 2, 1, 0}) {
      Files.write(file, Arrays.copyOf(bytes, length));
      requireBadInput(planner, "has " + length + " bytes where the manifest says " + bytes.length);
    }
    Files.delete(file);
    requireBadInput(planner, "is at none of");

    String key = copy.relativize(file).toString();
    Path origin = copy.resolve(key.replace("hbase/archive/data/", "hbase/data/"));
    Files.createDirectories(origin.getParent());
    Files.write(origin, bytes);
    assertThat(PlanFingerprint.of(planner.plan())).isEqualTo(PlanFingerprint.of(plan));
  }

  private static long requests(Snapshot snapshot, String kind) {
    return Objects.requireNonNull(IOStatisticsSupport.retrieveIOStatistics(snapshot.fileSystem()))
        .counters()
        .getOrDefault(kind, 0L);
  }

  /** The key of an HFile of the data table. */
  private static String hfile(Snapshot snapshot) throws Exception {
    SnapshotRegion region =
        snapshot.regions().stream()
            .filter(each -> !each.storeFiles().isEmpty())
            .findFirst()
            .orElseThrow();
    String path = new StoreFileResolver(snapshot).resolve(region).get(0).path();
    return path.substring(path.indexOf("hbase/"));
  }

  private static void requireBadInput(RollupPlanner planner, String message) {
    assertThatThrownBy(planner::plan)
        .isInstanceOf(JobException.class)
        .hasMessageContainingAll(message, "export it again")
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }

  private static JsonNode seek(String name, long from, long to) throws Exception {
    JobRun run = job(name).json().with(SmallData.window(from, to)).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    SortedMap<RollupKey, RollupValues> expected = data.answers(from, to);
    assertThat(RollupDiff.of(expected, run.rollups())).isEmpty();
    JsonNode report = requireReport(run, expected.size(), expected.size());
    assertThat(report.at("/rows/read").longValue())
        .isEqualTo(expected.size() + report.at("/rows/skipped/outsideWindow").longValue());
    return report;
  }

  /** Bytes of all HFiles of the data table. */
  private static long wholeBytes() throws Exception {
    JobRun run = job("whole").json().with(SmallData.window(SmallData.START, SmallData.END)).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(data.answers(SmallData.START, SmallData.END), run.rollups()))
        .isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.at("/plan/regionsInWindow").longValue()).isEqualTo(5);
    assertThat(report.at("/rows/skipped/outsideWindow").longValue()).isZero();
    return report.at("/plan/fileBytes").longValue();
  }

  private static JobRun secondDay(String name, RollupTopic topic, String... more) {
    JobRun run =
        job(name)
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with(topic.options())
            .with(more)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    return run;
  }

  private static JsonNode requireReport(JobRun run, long rollups, long messages) throws Exception {
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.get("exitCode").intValue()).isZero();
    assertThat(report.get("rollups").longValue()).isEqualTo(rollups);
    assertThat(report.at("/rows/emitted").longValue()).isEqualTo(rollups);
    assertThat(report.at("/messages/sent").longValue()).isEqualTo(messages);
    assertThat(report.at("/messages/acknowledged").longValue()).isEqualTo(messages);
    return report;
  }

  /** Keys as docs/rollup-message.md says, each in one partition, and all partitions in use. */
  private static void requireKeys(RollupTopic topic) throws Exception {
    Map<String, Integer> partitions = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : topic.records()) {
      JsonNode message = MAPPER.readTree(record.value());
      Map<String, String> tags = new TreeMap<>();
      message
          .get("tags")
          .properties()
          .forEach(tag -> tags.put(tag.getKey(), tag.getValue().textValue()));
      StringJoiner key = new StringJoiner(",", message.get("metric").textValue() + "{", "}");
      tags.forEach((tagk, tagv) -> key.add(tagk + "=" + tagv));
      assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo(key.toString());
      Integer before = partitions.putIfAbsent(key.toString(), record.partition());
      if (before != null) {
        assertThat(record.partition()).as(key.toString()).isEqualTo(before);
      }
    }
    assertThat(partitions).hasSize(SmallData.ROWS_PER_HOUR);
    assertThat(partitions.values()).contains(0, 1, 2, 3);
  }
}
