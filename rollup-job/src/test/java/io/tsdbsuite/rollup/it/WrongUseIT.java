package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.S3Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Wrong usage and outside systems that fail: one clear message, and nothing half-done. */
class WrongUseIT {
  /** An outside system that is down must be noticed within this time. */
  private static final Duration BOUND = Duration.ofMinutes(5);

  private static SmallData data;
  private static String root;

  @BeforeAll
  static void makeData() {
    data = SmallData.get();
    root = SharedStack.get().hbase().rootDir();
  }

  private static JobRun job(String... input) {
    return new JobRun(TestFiles.directory("wrong"))
        .with(input)
        .with(SmallData.window(SmallData.FROM, SmallData.TO));
  }

  /** The run failed with one message, which has these parts, and left nothing in its output. */
  private static void requireRefusal(JobRun run, ExitCode exitCode, String... parts) {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(exitCode);
    assertThat(run.err().lines())
        .as(run::everything)
        .hasSize(1)
        .allMatch(line -> line.startsWith("rollup-job: "));
    assertThat(run.err()).contains(parts).doesNotContain("\tat ", "Exception", "null");
    assertThat(run.output()).doesNotExist();
  }

  @Test
  void missingDataSnapshot() {
    JobRun run = job(data.input(root, "no-such-data", SmallData.UID_SNAPSHOT)).json().run();
    requireRefusal(
        run, ExitCode.USAGE, "no-such-data", root, SmallData.DATA_SNAPSHOT, SmallData.UID_SNAPSHOT);
  }

  @Test
  void missingUidSnapshot() {
    JobRun run = job(data.input(root, SmallData.DATA_SNAPSHOT, "no-such-uids")).json().run();
    requireRefusal(run, ExitCode.USAGE, "no-such-uids", root, SmallData.UID_SNAPSHOT);
  }

  @Test
  void rootWithoutSnapshots() {
    Path empty = TestFiles.directory("no-root");
    requireRefusal(
        job(data.input(empty.toUri().toString())).json().run(),
        ExitCode.USAGE,
        empty.toString(),
        "has no .hbase-snapshot directory",
        "HBase root directory");
    requireRefusal(
        job(data.input("file:///no/such/directory")).json().run(),
        ExitCode.USAGE,
        "file:///no/such/directory",
        "has no .hbase-snapshot directory");
    requireRefusal(
        job(data.input(empty.toString())).json().run(),
        ExitCode.USAGE,
        empty.toString(),
        "must carry its scheme");
    requireRefusal(
        job(data.input("s4://backup/hbase")).json().run(),
        ExitCode.USAGE,
        "s4://backup/hbase",
        "s4");
  }

  @Test
  void missingBucket() {
    S3Server reader = SharedStack.get().s3().readOnlyView();
    requireRefusal(
        job(data.input("s3a://no-such-bucket/hbase")).hadoop(reader.s3aProperties()).json().run(),
        ExitCode.USAGE,
        "s3a://no-such-bucket/hbase",
        "does not exist");
  }

  @Test
  void bucketThatMayNotBeRead() {
    S3Server s3 = SharedStack.get().s3();
    s3.createBucket("secret");
    Map<String, String> wrongKey = new HashMap<>(s3.readOnlyView().s3aProperties());
    wrongKey.put("fs.s3a.secret.key", "wrong");
    requireRefusal(
        job(data.input("s3a://secret/hbase")).hadoop(wrongKey).json().run(),
        ExitCode.USAGE,
        "s3a://secret/hbase",
        "may not be read with these credentials");
  }

  @Test
  void storageIsDown() {
    // A bucket that no other test names: Hadoop keeps one client for each.
    Map<String, String> nobody = new HashMap<>(SharedStack.get().s3().s3aProperties());
    nobody.put("fs.s3a.endpoint", "http://127.0.0.1:" + FreePorts.next());
    requireRefusal(
        bounded(job(data.input("s3a://unreachable/hbase")).hadoop(nobody).json()),
        ExitCode.OUTSIDE,
        "s3a://unreachable/hbase",
        "could not be read",
        "Connection refused");
  }

  @Test
  void uidWidthThatDoesNotFit() {
    requireRefusal(
        job(data.input(root)).with("--tsd.storage.uid.width.metric=4").json().run(),
        ExitCode.USAGE,
        SmallData.UID_SNAPSHOT,
        "of 3 bytes",
        "4 bytes",
        "tsd.storage.uid.width.metric");
  }

  @Test
  void saltThatTheTableDoesNotHave() {
    requireRefusal(
        job(data.input(root)).with("--tsd.storage.salt.width=1").json().run(),
        ExitCode.USAGE,
        SmallData.DATA_SNAPSHOT,
        "table " + SmallData.TABLE,
        "none of the row keys that were looked at fits it",
        "which would be salt 00, metric UID ",
        "tsd.storage.salt.width (1)");
    JobRun plan =
        job(data.input(root)).with("--tsd.storage.salt.width=1").json().with("--dry-run").run();
    requireRefusal(plan, ExitCode.USAGE, "none of the row keys");
  }

  @Test
  void snapshotsOfOtherTables() {
    requireRefusal(
        job(data.input(root)).with("--tsd.storage.hbase.data_table=other").json().run(),
        ExitCode.USAGE,
        SmallData.DATA_SNAPSHOT,
        "is of table " + SmallData.TABLE,
        "tsd.storage.hbase.data_table is other",
        "--tsd.storage.hbase.data_table=" + SmallData.TABLE);
    requireRefusal(
        job(data.input(root)).with("--tsd.storage.hbase.uid_table=other").json().run(),
        ExitCode.USAGE,
        SmallData.UID_SNAPSHOT,
        "tsd.storage.hbase.uid_table is other");
  }

  @Test
  void windowThatEndsTooLate() {
    JobRun run = job(data.input(root)).with("--hold-back=100y").json().run();
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains(
            "the window 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z must end 36500d (--hold-back)",
            "--allow-incomplete")
        .doesNotContain("Exception");
    assertThat(run.output()).doesNotExist();
    assertThat(run.hasReport()).isFalse();
  }

  @Test
  void swappedSnapshots() {
    requireRefusal(
        job(data.input(root, SmallData.UID_SNAPSHOT, SmallData.DATA_SNAPSHOT)).json().run(),
        ExitCode.USAGE,
        SmallData.UID_SNAPSHOT,
        "table " + SmallData.UID_TABLE,
        "no column family 't'",
        "is it the right snapshot?");
    requireRefusal(
        job(data.input(root, SmallData.DATA_SNAPSHOT, SmallData.DATA_SNAPSHOT)).json().run(),
        ExitCode.USAGE,
        SmallData.DATA_SNAPSHOT,
        "no column family 'name'");
  }

  @Test
  void kafkaIsDown() {
    String nobody = "127.0.0.1:" + FreePorts.next();
    JobRun run =
        job(data.input(root))
            .with(
                "--kafka-bootstrap=" + nobody,
                "--topic=rollups",
                "--kafka-property=default.api.timeout.ms=3000",
                "--kafka-property=request.timeout.ms=3000");
    requireRefusal(bounded(run), ExitCode.OUTSIDE, nobody, "rollups", "down, not reachable");
  }

  @Test
  void missingTopic() {
    String broker = SharedStack.get().kafka().bootstrapServers();
    JobRun run =
        job(data.input(root)).with("--kafka-bootstrap=" + broker, "--topic=no-such-topic").run();
    requireRefusal(run, ExitCode.USAGE, "no-such-topic", "does not exist", broker);
  }

  @Test
  void nothingIsSentWhenTheInputIsRefused() {
    RollupTopic topic = RollupTopic.create("refused");
    JobRun run =
        job(data.input(root, SmallData.DATA_SNAPSHOT, "no-such-uids")).with(topic.options()).run();
    requireRefusal(run, ExitCode.USAGE, "no-such-uids");
    assertThat(topic.records()).isEmpty();
  }

  @Test
  void outputThatIsUsed() throws Exception {
    JobRun run = job(data.input(root)).json();
    Path foreign = Files.createDirectories(run.output()).resolve("something");
    Files.writeString(foreign, "else", StandardCharsets.UTF_8);
    Map<String, String> before = TestFiles.tree(run.output());
    run.run();
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err())
        .contains("must be empty or absent", run.output().toString(), "something")
        .doesNotContain("Exception");
    assertThat(TestFiles.tree(run.output())).isEqualTo(before);
  }

  @Test
  void outputThatCannotBeMade() throws Exception {
    Path file =
        Files.writeString(
            TestFiles.directory("file").resolve("file"), "no directory", StandardCharsets.UTF_8);
    JobRun run = job(data.input(root)).with("--sink=json", "--output=" + file + "/below").run();
    requireRefusal(run, ExitCode.USAGE, file.toString(), "cannot be created");
    assertThat(file).hasContent("no directory");
    JobRun onFile = job(data.input(root)).with("--sink=json", "--output=" + file).run();
    requireRefusal(onFile, ExitCode.USAGE, file.toString(), "must be a directory");
  }

  @Test
  void hbaseIsDown() {
    int nobody = FreePorts.next();
    JobRun run =
        live("--hbase-property=hbase.zookeeper.quorum=127.0.0.1:" + nobody)
            .with("--hbase-property=zookeeper.recovery.retry=1");
    requireRefusal(
        bounded(run), ExitCode.OUTSIDE, SmallData.UID_TABLE, "127.0.0.1:" + nobody, "HBase");
  }

  @Test
  void missingUidTable() {
    requireRefusal(
        live("--tsd.storage.hbase.uid_table=no-such-table").run(),
        ExitCode.USAGE,
        "no-such-table",
        "tsd.storage.hbase.uid_table");
  }

  private static JobRun live(String... more) {
    return job(
            "--snapshot-root=" + root,
            "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
            "--uid-source=hbase",
            "--tsd-config=" + data.configFile(),
            "--rollup-config=" + data.rollupConfig())
        .with(more)
        .json();
  }

  private static JobRun bounded(JobRun run) {
    long start = System.nanoTime();
    run.run();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
    return run;
  }
}
