package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.S3Throttle;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An S3 that says SlowDown: now and then, always, and always from some moment on. */
@Tag("slow")
class ThrottledS3IT {
  private static final long SEED = 20261119;
  private static final Duration BOUND = Duration.ofMinutes(5);

  private final SmallData data = SmallData.get();
  private final SortedMap<RollupKey, RollupValues> expected =
      data.answers(SmallData.FROM, SmallData.TO);
  private S3Throttle throttle;

  @BeforeEach
  void start() {
    throttle = S3Throttle.start(SharedStack.get().s3(), SEED);
  }

  @AfterEach
  void close() {
    throttle.close();
  }

  /**
   * The tables and snapshots, in a bucket of its own: Hadoop keeps one client for each, with the
   * settings that it was made with.
   */
  private static String root(String bucket) throws Exception {
    S3Server s3 = SharedStack.get().s3();
    s3.createBucket(bucket);
    Path from = Path.of(URI.create(SharedStack.get().hbase().rootDir()));
    Path to = s3.directory(bucket).resolve("hbase");
    for (String part :
        new String[] {
          ".hbase-snapshot/" + SmallData.DATA_SNAPSHOT,
          ".hbase-snapshot/" + SmallData.UID_SNAPSHOT,
          "data/default/" + SmallData.TABLE,
          "data/default/" + SmallData.UID_TABLE,
          "archive/data/default/" + SmallData.TABLE,
          "archive/data/default/" + SmallData.UID_TABLE
        }) {
      if (Files.exists(from.resolve(part))) {
        Files.createDirectories(to.resolve(part).getParent());
        TestFiles.copy(from.resolve(part), to.resolve(part));
      }
    }
    return "s3a://" + bucket + "/hbase";
  }

  private JobRun job(String bucket, String root, RollupTopic topic) {
    Map<String, String> s3a = new HashMap<>(throttle.s3aProperties());
    // The job's own numbers, but shorter waits.
    s3a.put("fs.s3a.retry.throttle.interval", "20ms");
    s3a.put("fs.s3a.retry.throttle.limit", "5");
    // Files that were copied into a bucket have no ETag there.
    s3a.put("fs.s3a.change.detection.version.required", "false");
    return new JobRun(TestFiles.directory(bucket))
        .master("local[2,2]")
        .hadoop(s3a)
        .with(data.input(root))
        .with(SmallData.window(SmallData.FROM, SmallData.TO))
        .with(topic.options());
  }

  @Test
  void aShareOfTheRequestsIsRefused() throws Exception {
    RollupTopic topic = RollupTopic.create("throttled");
    String root = root("throttled");
    throttle.share(0.3);
    String remote = root + "/report.json";
    JobRun run = job("throttled", root, topic).with("--report=" + remote).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    System.out.printf(
        "S3: %d of %d requests refused, seed %d%n", throttle.refused(), throttle.requests(), SEED);
    assertThat(throttle.refused()).isGreaterThan(5);
    Path file = SharedStack.get().s3().directory("throttled").resolve("hbase/report.json");
    JsonNode report = new ObjectMapper().readTree(Files.readString(file));
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(expected.size());
    topic.requireAll(expected);

    JobRun again = job("throttled", root, topic).with("--resume=" + remote).run();
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
    assertThat(again.out()).contains(remote, "nothing is left");
    JobRun other = job("throttled", root, topic).with("--resume=" + remote, "--metrics=a.*").run();
    assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("--metrics was '', is 'a.*' now");
    JobRun missing = job("throttled", root, topic).with("--resume=" + root + "/none.json").run();
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains(root + "/none.json: there is no such file");
  }

  @Test
  void everyRequestIsRefused() throws Exception {
    RollupTopic topic = RollupTopic.create("refused-all");
    String root = root("refused-all");
    throttle.share(1);
    JobRun job = job("refused-all", root, topic);
    JobRun run = CompletableFuture.supplyAsync(job::run).get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.OUTSIDE);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains(root, "503").doesNotContain("\tat ");
    assertThat(topic.records()).isEmpty();
  }

  @Test
  void everyRequestIsRefusedFromSomeMomentOn() throws Exception {
    RollupTopic topic = RollupTopic.create("refused-later");
    String root = root("refused-later");
    JobRun job =
        job("refused-later", root, topic)
            .with("--partition-size=0.001", "--max-messages-per-second=400");
    CompletableFuture<JobRun> running = CompletableFuture.supplyAsync(job::run);
    Await.until(
        "finished partitions",
        BOUND,
        () -> {
          if (running.isDone()) {
            throw new AssertionError("the job has ended: " + running.join().everything());
          }
          return job.hasReport() && job.reportJson().get("partitionsFinished").intValue() > 2;
        });
    throttle.share(1);
    JobRun failed = running.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(failed.exitCode()).as(failed::everything).isEqualTo(ExitCode.OUTSIDE);
    assertThat(failed.err()).contains(root, "503", "--resume").doesNotContain("\tat ");
    JsonNode left = failed.reportJson();
    assertThat(left.get("state").textValue()).isEqualTo("ended");
    assertThat(left.get("exitCode").intValue()).isEqualTo(3);

    throttle.share(0);
    JobRun resumed =
        job("refused-later", root, topic)
            .with("--partition-size=0.001", "--resume=" + failed.report())
            .run();
    assertThat(resumed.exitCode()).as(resumed::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = resumed.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(expected.size());
    assertThat(report.at("/resumed/partitions")).isEqualTo(left.get("partitionsFinished"));
    assertThat(failed.report()).isNotEqualTo(resumed.report());
    topic.requireAll(expected);
  }
}
