package io.tsdbsuite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HadoopServer;
import io.tsdbsuite.testkit.Kdc;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.Permission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The jobs with Kerberos: HDFS, YARN and HBase demand it. */
@Tag("slow")
class KerberosIT {
  /** Spark renews at three quarters of it. */
  private static final Duration TOKEN = Duration.ofSeconds(20);

  /** asynchbase logs in again after a minute at the earliest: a TSD cannot live with less. */
  private static final Duration TICKET = Duration.ofSeconds(100);

  /** Messages, 3 in a second: 70 s, where a token lives for 60. */
  private static final int AFTER_THE_FIRST_TOKENS = 210;

  private static ClusterStack stack;
  private static RollupData data;
  private static FileSystem hdfs;

  @BeforeAll
  static void write() throws IOException {
    stack = ClusterStack.secured(WorkDirs.fresh("KerberosIT"), 2, TICKET, TOKEN, Map.of());
    data = RollupData.write(stack, "sec").snapshots();
    hdfs = stack.hadoop().fileSystem();
    // The export may be read by its group, and by nobody else.
    org.apache.hadoop.fs.Path exports = new org.apache.hadoop.fs.Path("/exports");
    hdfs.setOwner(exports, "hbase", "hbase");
    try (Admin admin = stack.hbase().master().connection().getAdmin()) {
      ClusterStack.grant(admin, "tsdb", data.table("uid"), Permission.Action.READ);
      for (String interval : ClusterStack.INTERVALS) {
        ClusterStack.grant(
            admin,
            "tsdb",
            data.table(interval),
            Permission.Action.READ,
            Permission.Action.WRITE,
            Permission.Action.CREATE);
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (stack != null) {
      stack.close();
    }
  }

  private static YarnSubmit submit(Mode mode) throws IOException {
    return stack.submit(mode, stack.directory("submit"));
  }

  private static YarnSubmit withKeytab(YarnSubmit submit, String user) {
    return submit.with(
        "--principal", user + "@" + Kdc.REALM, "--keytab", stack.kdc().keytab(user).toString());
  }

  private static List<String> kafka(String topic) {
    return List.of("--kafka-bootstrap=" + stack.kafka().bootstrapServers(), "--topic=" + topic);
  }

  private static void requireDone(YarnSubmit.Job job) throws Exception {
    try (job) {
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }
  }

  /**
   * A run that takes four times as long as a token lives without renewal, and longer than a token
   * lives at all. Executors ask HBase for names; those that replace the executors of a killed node,
   * when the first tokens are dead, do it with renewed ones.
   */
  @ParameterizedTest
  @EnumSource
  void keytab(Mode mode) throws Exception {
    String topic = "keytab-" + mode.option();
    stack.kafka().createTopic(topic, 1);
    YarnSubmit.Job job =
        data.rollup(
            withKeytab(submit(mode), "tsdb"),
            mode,
            List.of(
                data.withoutNames(RollupData.EXPORT),
                RollupData.day(),
                kafka(topic),
                List.of(
                    "--uid-source=hbase",
                    "--max-messages-per-second=3",
                    "--partition-size=0.001",
                    "--report=" + stack.hadoop().uri() + "/jobs/" + topic + ".json")));
    try (job) {
      job.awaitMessages(stack.kafka(), topic, AFTER_THE_FIRST_TOKENS);
      HadoopServer other = job.nodeWithout(YarnSubmit.MASTER);
      assertThat(other.commandLines()).anyMatch(line -> line.contains(YarnSubmit.EXECUTOR));
      other.kill();
      Program.Outcome outcome = job.await();
      other.start();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
      assertThat(outcome.output().split("Get token from HBase", -1)).hasSizeGreaterThan(4);
    }
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(topic).forEach(message -> messages.add(message.value()));
    assertThat(RollupDiff.of(Points.expected(data.tsd(), "1h"), messages.rollups())).isEmpty();
  }

  /** A ticket in a cache, as kinit leaves it: HFiles, and their load into HBase. */
  @Test
  void kinit() throws Exception {
    Path cache = stack.directory("cache").resolve("tickets");
    stack.kdc().kinit("tsdb", "tsdb", cache);
    String hfiles = stack.hadoop().uri() + "/jobs/hfiles";
    requireDone(
        data.rollup(
            submit(Mode.CLIENT).environment("KRB5CCNAME", cache.toString()),
            Mode.CLIENT,
            List.of(
                data.withoutNames(RollupData.EXPORT),
                RollupData.day(),
                List.of("--interval=1h,1d", "--sink=hfile", "--hfile-dir=" + hfiles))));
    String run = hdfs.listStatus(new org.apache.hadoop.fs.Path(hfiles))[0].getPath().toString();
    stack.kdc().kinit("tsdb", "tsdb", cache);
    requireDone(
        data.rollup(
            submit(Mode.CLIENT).environment("KRB5CCNAME", cache.toString()),
            Mode.CLIENT,
            List.of(List.of("load", "--hfile-dir=" + run))));
    for (String interval : ClusterStack.INTERVALS) {
      assertThat(
              RollupDiff.of(
                  Points.expected(data.tsd(), interval), Points.stored(data.tsd(), interval)))
          .as(interval)
          .isEmpty();
    }
  }

  /** Points by spark-load with a keytab, then the same by bulk-loader with a ticket of kinit. */
  @Test
  void loads() throws Exception {
    LoadData text = new LoadData(stack, hdfs);
    TsdServer tsd = stack.tsd("bulk");
    try (Admin admin = stack.hbase().master().connection().getAdmin()) {
      for (String table : List.of("bulk-data", "bulk-uid")) {
        ClusterStack.grant(
            admin,
            "tsdb",
            table,
            Permission.Action.READ,
            Permission.Action.WRITE,
            Permission.Action.CREATE);
      }
    }
    List<String> arguments =
        List.of(
            "spark-load",
            "--tsd-config=" + tsd.configFile().getFileName(),
            "--hfile-dir=" + stack.hadoop().uri() + "/jobs/load",
            "--report=" + stack.hadoop().uri() + "/jobs/load.json",
            "--input",
            text.input());
    requireDone(
        withKeytab(submit(Mode.CLUSTER), "tsdb")
            .with("--files", tsd.configFile().toString())
            .start(System.getProperty("loader.jar"), arguments));
    assertThat(Values.of(tsd)).isEqualTo(text.expected());
    Path dir = stack.directory("bulk-loader");
    Path cache = dir.resolve("tickets");
    stack.kdc().kinit("tsdb", "tsdb", cache);
    Program.Outcome again =
        Program.start(
                dir,
                Map.of(
                    "BULK_LOADER_JAR",
                    System.getProperty("loader.jar"),
                    "HADOOP_CONF_DIR",
                    stack.hadoop().confDir().toString(),
                    "KRB5CCNAME",
                    cache.toString(),
                    "JAVA_OPTS",
                    "-Xmx512m " + String.join(" ", stack.jvmFlags())),
                List.of(
                    Path.of("..", "bulk-loader", "bin", "bulk-loader").toAbsolutePath().toString(),
                    "load",
                    "--mode=put",
                    "--work-dir=" + dir.resolve("work"),
                    "--progress=plain",
                    "--tsd-config=" + tsd.configFile(),
                    "--input",
                    text.input()))
            .await();
    assertThat(again.exitCode()).as(again.output()).isZero();
    assertThat(Values.of(tsd)).isEqualTo(text.expected());
  }

  /** Each message names the principal, the rule, and what to do. */
  @Test
  void withoutTicket() throws Exception {
    Path cache = stack.directory("cache").resolve("none");
    try (YarnSubmit.Job job =
        data.rollup(
            submit(Mode.CLIENT).environment("KRB5CCNAME", cache.toString()),
            Mode.CLIENT,
            List.of(
                data.source(RollupData.EXPORT),
                RollupData.day(),
                List.of("--sink=json", "--output=" + stack.hadoop().uri() + "/jobs/none")))) {
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
      assertThat(outcome.output())
          .contains("has no Kerberos ticket, there is no " + cache, "run kinit");
    }
  }

  /** The export belongs to another group. */
  @Test
  void withoutRightToRead() throws Exception {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(data.exportRoot());
    FsPermission before = hdfs.getFileStatus(root).getPermission();
    hdfs.setPermission(root, new FsPermission((short) 0750));
    try (YarnSubmit.Job job =
        data.rollup(
            withKeytab(submit(Mode.CLIENT), "guest"),
            Mode.CLIENT,
            List.of(
                data.source(RollupData.EXPORT),
                RollupData.day(),
                List.of("--sink=json", "--output=" + stack.hadoop().uri() + "/user/guest/none")))) {
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
      assertThat(outcome.output())
          .contains("principal guest@" + Kdc.REALM + " lacks a right, grant it: Permission denied");
    } finally {
      hdfs.setPermission(root, before);
    }
  }

  /** HBase refuses names to a principal without READ on the UID table. */
  @Test
  void withoutRightInHBase() throws Exception {
    try (YarnSubmit.Job job =
        data.rollup(
            withKeytab(submit(Mode.CLIENT), "guest"),
            Mode.CLIENT,
            List.of(
                data.withoutNames(RollupData.EXPORT),
                RollupData.day(),
                List.of(
                    "--uid-source=hbase",
                    "--sink=json",
                    "--output=" + stack.hadoop().uri() + "/user/guest/none")))) {
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
      assertThat(outcome.output()).contains("principal guest@" + Kdc.REALM + " lacks a right");
    }
  }

  /** kafka-ingest beside a TSD that logs in by a keytab. */
  @Test
  void kafkaIngestStoresAMessage() throws Exception {
    TsdServer tsd = stack.tsd("ingest");
    stack.kafka().createTopic("points", 1);
    stack.kafka().createTopic("dead-letters", 1);
    Map<String, String> conf = new java.util.TreeMap<>();
    for (String table : List.of("data", "uid", "tree", "meta")) {
      conf.put("tsd.storage.hbase." + table + "_table", "ingest-" + table);
    }
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", stack.kafka().bootstrapServers());
    conf.put("KafkaRpcPlugin.deadLetterTopic", "dead-letters");
    conf.put("KafkaRpcPlugin.groups", "points");
    conf.put("KafkaRpcPlugin.points.topics", "points");
    TsdServer consumer =
        stack.tsd(
            stack.directory("consumer"),
            "consumer",
            conf,
            List.of(Path.of(System.getProperty("ingest.jar"))));
    stack
        .kafka()
        .topics()
        .send(
            List.of(
                new org.apache.kafka.clients.producer.ProducerRecord<>(
                    "points",
                    ("{\"type\":\"Metric\",\"metric\":\""
                            + Points.METRICS.get(0)
                            + "\",\"timestamp\":"
                            + (Points.FROM + 5)
                            + ",\"value\":42,\"tags\":{\"host\":\"h0\"}}")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    Await.until(
        "the point of the message",
        Duration.ofMinutes(1),
        () ->
            tsd.client().suggest("metrics", Points.METRICS.get(0), 1).size() == 1
                && !Values.of(tsd, Points.METRICS.get(0)).isEmpty());
    assertThat(Values.of(tsd, Points.METRICS.get(0)).values())
        .singleElement()
        .satisfies(values -> assertThat(values.values()).containsExactly(42.0));
    assertThat(consumer.isAlive()).isTrue();
  }
}
