package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The jar that users get, under a stock Spark's own spark-submit: its class path, its class
 * loaders, its log configuration. The HFiles are compressed and encoded, so that the codecs of the
 * jar are used.
 */
class SparkSubmitIT {
  private static final long FROM = CorrectnessData.FROM;
  private static final long TO = FROM + 4 * 3600;
  private static final String METRIC = "submit.metric";
  private static final Map<String, String> CONF =
      Map.of(
          "tsd.storage.hbase.data_table", "submit-data",
          "tsd.storage.hbase.uid_table", "submit-uid",
          "tsd.storage.hbase.tree_table", "submit-tree",
          "tsd.storage.hbase.meta_table", "submit-meta");

  private static final Stack STACK = SharedStack.get();
  private static TsdServer tsd;

  @BeforeAll
  static void writeAndSnapshot() throws IOException {
    STACK.create(
        OpenTsdbTables.of(CONF)
            .compression(Compression.Algorithm.SNAPPY)
            .encoding(DataBlockEncoding.FAST_DIFF));
    tsd = STACK.startTsd("submit", CONF);
    List<DataPoint> points = new ArrayList<>();
    for (int series = 0; series < 20; series++) {
      for (long time = FROM; time < TO; time += 30) {
        Object value = series % 2 == 0 ? (Object) (time % 1000) : (Object) (time % 1000 / 7.0);
        points.add(new DataPoint(METRIC, time, value, Map.of("host", "h" + series)));
      }
    }
    tsd.client().put(points, 2000);
    STACK.hbase().snapshot("submit-data", "submit-data-snapshot");
    STACK.hbase().snapshot("submit-uid", "submit-uid-snapshot");
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  /** A finished spark-submit. */
  private record Submitted(int exitCode, String output, Path directory) {}

  private static Submitted submit(String master, String... args)
      throws IOException, InterruptedException {
    try (SparkSubmit submit = new SparkSubmit(TestFiles.directory("submit"))) {
      int exitCode = submit.start(master, List.of(args)).await();
      return new Submitted(exitCode, submit.output(), submit.directory());
    }
  }

  private static String[] args(String... more) {
    List<String> args = new ArrayList<>();
    args.add("--snapshot-root=" + STACK.hbase().rootDir());
    args.add("--data-snapshot=submit-data-snapshot");
    args.add("--uid-snapshot=submit-uid-snapshot");
    args.add("--tsd-config=" + tsd.configFile());
    args.add("--rollup-config=" + TestFiles.rollupConfig(TestFiles.directory("submit-conf")));
    args.add("--from=" + FROM);
    args.add("--to=" + TO);
    args.add("--kafka-bootstrap=" + STACK.kafka().bootstrapServers());
    args.addAll(List.of(more));
    return args.toArray(String[]::new);
  }

  @Test
  void rollsUpToKafka() throws Exception {
    STACK.kafka().createTopic("submit", 2);
    // Executors in JVMs of their own: everything that a task needs must get there.
    Submitted submitted = submit("local-cluster[2,1,640]", args("--topic=submit"));
    assertThat(submitted.exitCode).as(submitted.output).isZero();
    assertThat(submitted.output).contains("books              close", "outcome            done");
    // Without an option for the report, a failed run must write one.
    try (Stream<Path> files = Files.list(submitted.directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.startsWith("rollup-job-20251119T00-"))
          .singleElement()
          .satisfies(name -> assertThat(submitted.output).contains("report             " + name));
    }
    RollupMessages messages = new RollupMessages();
    STACK.kafka().readAll("submit").forEach(message -> messages.add(message.value()));
    var expected = new TsdOracle(tsd.client()).rollups(METRIC, FROM, TO, "1h");
    assertThat(expected).hasSize(80);
    assertThat(RollupDiff.of(expected, messages.rollups())).isEmpty();
  }

  /** HBase's client too must work in spark-submit's class loader, on driver and executors. */
  @Test
  @Tag("slow")
  void asksALiveHBaseForNames() throws Exception {
    STACK.kafka().createTopic("submit-live", 2);
    List<String> args = new ArrayList<>(List.of(args("--topic=submit-live")));
    args.removeIf(arg -> arg.startsWith("--uid-snapshot"));
    args.add("--uid-source=hbase");
    args.add("--format=aggregate");
    Submitted submitted = submit("local-cluster[1,2,640]", args.toArray(String[]::new));
    assertThat(submitted.exitCode).as(submitted.output).isZero();
    RollupMessages messages = new RollupMessages();
    STACK.kafka().readAll("submit-live").forEach(message -> messages.add(message.value()));
    var expected = new TsdOracle(tsd.client()).rollups(METRIC, FROM, TO, "1h");
    assertThat(RollupDiff.of(expected, messages.rollups())).isEmpty();
    assertThat(messages.messages()).isEqualTo(4L * expected.size());
  }

  /** HBase's writer on executors, the shuffle between them, and HBase's tool in the driver. */
  @Test
  void writesHFilesAndLoadsThem() throws Exception {
    STACK.create(OpenTsdbTables.of(CONF).rollup("submit-1h"));
    Path directory = TestFiles.directory("submit-hfile");
    Path rollups =
        Files.writeString(
            directory.resolve("rollup_config.json"),
            RollupStore.config("submit-data", "submit", RollupStore.IDS, List.of("1h")));
    List<String> args = new ArrayList<>(List.of(args()));
    args.removeIf(arg -> arg.matches("--(uid-snapshot|kafka-bootstrap|rollup-config)=.*"));
    args.add("--rollup-config=" + rollups);
    args.add("--sink=hfile");
    args.add("--hfile-dir=" + directory.resolve("hfiles").toUri());
    Submitted job = submit("local-cluster[2,1,640]", args.toArray(String[]::new));
    assertThat(job.exitCode).as(job.output).isZero();
    Path run = LoadRun.runDirectory(directory);
    assertThat(job.output).contains("books              close", "rollup-job load --hfile-dir");
    Submitted load =
        submit(
            "local[1]",
            "load",
            "--hfile-dir=" + run.toUri(),
            "--tsd-config=" + tsd.configFile(),
            "--rollup-config=" + rollups);
    assertThat(load.exitCode).as(load.output).isZero();
    Map<String, String> conf = new HashMap<>(CONF);
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", Files.readString(rollups, StandardCharsets.UTF_8));
    TsdServer reader = STACK.startTsd("submit-rollups", conf);
    var stored = TsdOracle.ofStoredRollups(reader.client()).rollups(METRIC, FROM, TO, "1h");
    reader.stop();
    var expected = new TsdOracle(tsd.client()).rollups(METRIC, FROM, TO, "1h");
    assertThat(RollupDiff.of(expected, stored)).isEmpty();
  }

  /**
   * Nothing is stored: what raw data make is missing, by way of a shuffle between executors. {@code
   * make test-all} runs it: VerifyIT compares in every build, and FirstRollupsIT under
   * spark-submit.
   */
  @Test
  @Tag("slow")
  void verifies() throws Exception {
    Path rollupConfig = TestFiles.rollupConfig(TestFiles.directory("submit-conf"), "submitted");
    STACK.create(OpenTsdbTables.of(CONF).rollup("submitted-rollup-1h"));
    STACK.hbase().snapshot("submitted-rollup-1h", "submitted-empty");
    List<String> args = new ArrayList<>(List.of(args("--against-snapshot=submitted-empty")));
    args.removeIf(arg -> arg.startsWith("--kafka") || arg.startsWith("--rollup-config"));
    args.add(0, "verify");
    args.add("--rollup-config=" + rollupConfig);
    Submitted submitted = submit("local-cluster[2,1,640]", args.toArray(String[]::new));
    assertThat(submitted.exitCode).as(submitted.output).isEqualTo(1);
    assertThat(submitted.output)
        .contains("of 80 rollups 80 are missing, 0 are extra, 0 are different")
        .contains("books              close");
  }

  /** {@code make test-all} runs it too. */
  @Test
  @Tag("slow")
  void searchesOnExecutors() throws Exception {
    Path output = TestFiles.directory("submit-changed").resolve("output");
    List<String> args = new ArrayList<>(List.of(args("--changed-since=2025-01-01")));
    args.removeIf(arg -> arg.startsWith("--kafka") || arg.startsWith("--from"));
    args.addAll(List.of("--sink=json", "--output=" + output));
    Submitted submitted = submit("local-cluster[1,2,640]", args.toArray(String[]::new));
    assertThat(submitted.exitCode).as(submitted.output).isZero();
    assertThat(submitted.output).contains("changed rows       80", "outcome            done");
  }

  /** What a task throws on an executor must reach the user as one message and its exit code. */
  @Test
  @Tag("slow")
  void aFailureOnAnExecutorEndsWithItsOwnMessage() throws Exception {
    STACK.kafka().createTopic("submit-small", 1);
    Submitted submitted =
        submit(
            "local-cluster[1,1,640]",
            args("--topic=submit-small", "--kafka-property", "max.request.size=100"));
    assertThat(submitted.exitCode).as(submitted.output).isEqualTo(2);
    assertThat(submitted.output).contains("rollup-job: ", "max.request.size");
    assertThat(STACK.kafka().readAll("submit-small")).isEmpty();
  }

  /** Of another Scala. {@code make test-all} runs it too: that Spark has 400 MB. */
  @Test
  @Tag("slow")
  void anotherSparkIsRefused() throws Exception {
    String other = System.getProperty("spark.other.version");
    String[] args = args("--sink=json", "--output=" + TestFiles.directory("submit-other"));
    List<String> toJson = Stream.of(args).filter(arg -> !arg.startsWith("--kafka")).toList();
    try (SparkSubmit submit = new SparkSubmit(TestFiles.directory("submit")).version(other)) {
      int exitCode = submit.start("local[1]", toJson).await();
      assertThat(exitCode).as(submit.output()).isEqualTo(2);
      assertThat(submit.output())
          .contains("rollup-job: the jar is built for Spark ", "found Spark " + other)
          .doesNotContain("\tat ");
    }
  }

  @Test
  void wrongOptionsEndWithCode2AndOneMessage() throws Exception {
    Submitted submitted = submit("local[2]", args("--topic=submit", "--intervall=1h"));
    assertThat(submitted.exitCode).isEqualTo(2);
    assertThat(submitted.output).contains("--intervall").doesNotContain("\tat ");
  }
}
