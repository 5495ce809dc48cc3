package io.tsdbsuite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HadoopServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** rollup-job on YARN, over snapshots on HDFS. */
@Tag("slow")
class YarnRollupIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofMinutes(3);

  private static ClusterStack stack;
  private static RollupData data;
  private static FileSystem hdfs;

  @BeforeAll
  static void write() throws IOException {
    stack = ClusterStack.open(WorkDirs.fresh("YarnRollupIT"), 2);
    data = RollupData.write(stack, "roll").snapshots();
    hdfs = stack.hadoop().fileSystem();
  }

  @AfterAll
  static void stop() throws IOException {
    if (stack != null) {
      hdfs.close();
      stack.close();
    }
  }

  private static YarnSubmit submit(Mode mode) throws IOException {
    return stack.submit(mode, stack.directory("submit"));
  }

  private static List<String> kafka(String topic) {
    return List.of("--kafka-bootstrap=" + stack.kafka().bootstrapServers(), "--topic=" + topic);
  }

  private static String report(String name) {
    return stack.hadoop().uri() + "/reports/" + name + ".json";
  }

  private static JsonNode json(String file) throws IOException {
    try (InputStream in = hdfs.open(new Path(file))) {
      return JSON.readTree(in);
    }
  }

  private static void requireDone(YarnSubmit.Job job) throws Exception {
    try (job) {
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
      assertThat(outcome.output()).contains("books              close");
    }
  }

  private static void requireRollups(String topic) {
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(topic).forEach(message -> messages.add(message.value()));
    assertThat(RollupDiff.of(Points.expected(data.tsd(), "1h"), messages.rollups())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"CLIENT,export", "CLUSTER,live", "CLIENT,live", "CLUSTER,export"})
  void toKafka(Mode mode, String source) throws Exception {
    String topic = "kafka-" + mode.option() + "-" + source;
    stack.kafka().createTopic(topic, 2);
    requireDone(
        data.rollup(
            submit(mode),
            mode,
            List.of(
                data.source(source),
                RollupData.day(),
                kafka(topic),
                List.of("--report=" + report(topic)))));
    requireRollups(topic);
    assertThat(json(report(topic)).get("exitCode").intValue()).isZero();
  }

  /** HFiles on HDFS, HBase's bulk load of them, and the comparison of all that is stored then. */
  @ParameterizedTest
  @EnumSource
  void hfilesAreLoadedAndVerified(Mode mode) throws Exception {
    String hfiles = stack.hadoop().uri() + "/hfiles/" + mode.option();
    requireDone(
        data.rollup(
            submit(mode),
            mode,
            List.of(
                data.withoutNames(RollupData.EXPORT),
                RollupData.day(),
                List.of("--interval=1h,1d", "--sink=hfile", "--hfile-dir=" + hfiles))));
    FileStatus[] runs = hdfs.listStatus(new Path(hfiles));
    assertThat(runs).hasSize(1);
    try (YarnSubmit.Job load =
        data.rollup(
            submit(mode), mode, List.of(List.of("load", "--hfile-dir=" + runs[0].getPath())))) {
      Program.Outcome outcome = load.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }
    for (String interval : ClusterStack.INTERVALS) {
      assertThat(
              RollupDiff.of(
                  Points.expected(data.tsd(), interval), Points.stored(data.tsd(), interval)))
          .as(interval)
          .isEmpty();
    }
    verify(mode);
  }

  private void verify(Mode mode) throws Exception {
    String name = "verify-" + mode.option();
    for (String interval : ClusterStack.INTERVALS) {
      stack.hbase().master().snapshot(data.table(interval), name + "-" + interval);
    }
    requireDone(
        data.rollup(
            submit(mode),
            mode,
            List.of(
                List.of("verify", "--interval=1h,1d"),
                data.again(),
                RollupData.day(),
                List.of(
                    "--against-snapshot=" + name + "-1h," + name + "-1d",
                    "--report=" + report(name)))));
    JsonNode compared = json(report(name)).get("compared");
    for (String finding : List.of("different", "missing", "extra")) {
      assertThat(compared.get(finding).asLong()).as(finding).isZero();
    }
    assertThat(compared.get("equal").asLong())
        .isEqualTo(
            Points.expected(data.tsd(), "1h").size() + Points.expected(data.tsd(), "1d").size());
  }

  /** A point that comes after the first run is found by the second, on executors. */
  @Test
  void lateData() throws Exception {
    String topic = "late";
    RollupData changing = RollupData.write(stack, "late");
    stack.kafka().createTopic(topic, 1);
    requireDone(
        changing.rollup(
            submit(Mode.CLUSTER),
            Mode.CLUSTER,
            List.of(
                changing.again(),
                RollupData.day(),
                kafka(topic),
                List.of("--report=" + report("late-1")))));
    long before = stack.kafka().readAll(topic).size();
    long late = Points.FROM + 7 * 3600 + 5;
    changing
        .tsd()
        .client()
        .put(List.of(new DataPoint(Points.METRICS.get(1), late, -5L, Map.of("host", "h1"))));
    requireDone(
        changing.rollup(
            submit(Mode.CLUSTER),
            Mode.CLUSTER,
            List.of(
                changing.again(),
                List.of(
                    "--from=" + Points.TO,
                    "--to=" + (Points.TO + 3600),
                    "--since-report=" + report("late-1"),
                    "--changed-margin=0s",
                    "--report=" + report("late-2")),
                kafka(topic))));
    JsonNode second = json(report("late-2"));
    assertThat(second.at("/input/changedRows").asLong()).isEqualTo(1);
    RollupMessages messages = new RollupMessages();
    stack
        .kafka()
        .readAll(topic)
        .subList((int) before, (int) before + 1)
        .forEach(message -> messages.add(message.value()));
    assertThat(messages.rollups())
        .hasSize(1)
        .allSatisfy((key, values) -> assertThat(values.min()).isEqualTo(-5.0));
  }

  /** The executors of the node are lost with it; Spark asks YARN for others. */
  @Test
  void goesOnAfterANodeIsKilled() throws Exception {
    String topic = "killed-node";
    stack.kafka().createTopic(topic, 1);
    try (YarnSubmit.Job job =
        data.rollup(
            submit(Mode.CLIENT),
            Mode.CLIENT,
            List.of(data.source(RollupData.LIVE), RollupData.day(), kafka(topic), slowly(20)))) {
      job.awaitMessages(stack.kafka(), topic, 20);
      // The node of executors only: the other one has the helper of the driver too.
      HadoopServer other = job.nodeWithout(YarnSubmit.MASTER);
      assertThat(other.commandLines()).anyMatch(line -> line.contains(YarnSubmit.EXECUTOR));
      other.kill();
      requireDone(job);
      other.start();
    }
    requireRollups(topic);
  }

  /** The driver dies with its node; a second run does the rest. */
  @Test
  void resumesAfterTheApplicationMasterIsKilled() throws Exception {
    String topic = "killed-master";
    stack.kafka().createTopic(topic, 1);
    List<List<String>> arguments =
        List.of(data.source(RollupData.LIVE), RollupData.day(), kafka(topic), slowly(20));
    HadoopServer node;
    try (YarnSubmit.Job job =
        data.rollup(
            submit(Mode.CLUSTER),
            Mode.CLUSTER,
            plus(arguments, List.of("--report=" + report(topic))))) {
      job.awaitMessages(stack.kafka(), topic, 20);
      Await.until(
          "finished partitions in the report",
          LONG,
          () -> json(report(topic)).get("partitionsFinished").intValue() > 0);
      node = job.node(YarnSubmit.MASTER);
      node.kill();
      assertThat(job.await().exitCode()).isNotZero();
    }
    JsonNode left = json(report(topic));
    assertThat(left.get("state").textValue()).isEqualTo("running");
    node.start();
    requireDone(
        data.rollup(
            submit(Mode.CLUSTER),
            Mode.CLUSTER,
            plus(arguments, List.of("--resume=" + report(topic)))));
    JsonNode resumed = json(report(topic));
    assertThat(resumed.at("/resumed/partitions").intValue()).isPositive();
    requireRollups(topic);
  }

  private static List<List<String>> plus(List<List<String>> some, List<String> more) {
    return java.util.stream.Stream.concat(some.stream(), java.util.stream.Stream.of(more)).toList();
  }

  private static List<String> slowly(int messagesPerSecond) {
    return List.of("--max-messages-per-second=" + messagesPerSecond, "--partition-size=0.001");
  }

  /** Regions move, split and lose their server while the snapshot below them is read. */
  @Test
  void readsWhileRegionsMoveAndAServerDies() throws Exception {
    String topic = "moved";
    stack.kafka().createTopic(topic, 1);
    try (YarnSubmit.Job job =
        data.rollup(
            submit(Mode.CLIENT),
            Mode.CLIENT,
            List.of(data.source(RollupData.LIVE), RollupData.day(), kafka(topic), slowly(20)))) {
      job.awaitMessages(stack.kafka(), topic, 10);
      Regions.moveAll(stack, data.table("clone"));
      stack.hbase().master().majorCompact(data.table("clone"));
      try (Admin admin = stack.hbase().master().connection().getAdmin()) {
        // HFiles of which the snapshot knows go to the archive.
        admin.disableTable(TableName.valueOf(data.table("clone")));
        admin.deleteTable(TableName.valueOf(data.table("clone")));
      }
      stack.hbase().regionServer(2).kill();
      requireDone(job);
    } finally {
      if (!stack.hbase().regionServer(2).isAlive()) {
        stack.hbase().regionServer(2).start();
      }
    }
    requireRollups(topic);
  }
}
