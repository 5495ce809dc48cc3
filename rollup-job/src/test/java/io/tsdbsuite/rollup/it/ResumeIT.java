package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A driver that is killed amid its run; what it had finished is not read again. */
class ResumeIT {
  private final SmallData data = SmallData.get();
  private final String root = SharedStack.get().hbase().rootDir();
  private final SortedMap<RollupKey, RollupValues> expected =
      data.answers(SmallData.FROM, SmallData.TO);

  private JobRun job(RollupTopic topic, Path directory) {
    return new JobRun(directory)
        .with(data.input(root))
        .with(SmallData.window(SmallData.FROM, SmallData.TO))
        .with(topic.options())
        .with("--partition-size=0.001", "--as-of=now");
  }

  @Test
  void aKilledDriver() throws Exception {
    RollupTopic topic = RollupTopic.create("resumed");
    Path directory = TestFiles.directory("resumed");
    // The report is written every two seconds, more rarely if the disk is slow.
    JobRun killed = job(topic, directory).with("--max-messages-per-second=100");
    try (ChildJob child = ChildJob.start(killed, directory)) {
      child.await("finished partitions", () -> finishedPartitions(killed) > 1);
    }
    JsonNode left = killed.reportJson();
    assertThat(left.get("state").textValue()).isEqualTo("running");
    assertThat(left.get("exitCode").isNull()).isTrue();
    assertThat(left.get("booksClose").booleanValue()).isFalse();
    int finished = left.get("partitionsFinished").intValue();
    assertThat(left.at("/resume/finished")).hasSize(finished);
    long sentBefore = topic.messages().messages();
    assertThat(sentBefore).isBetween((long) finished, expected.size() - 1L);
    refusesWhatDoesNotFit(topic, killed);

    JobRun resumed = job(topic, directory).with("--resume=" + killed.report()).run();
    assertThat(resumed.exitCode()).as(resumed::everything).isEqualTo(ExitCode.DONE);
    assertThat(resumed.err()).isEmpty();
    topic.requireAll(expected);
    JsonNode report = resumed.reportJson();
    requireWhole(report);
    JsonNode before = report.at("/resumed/books");
    assertThat(report.at("/resumed/partitions").intValue()).isEqualTo(finished);
    assertThat(report.at("/resumed/earlierRuns").intValue()).isEqualTo(1);
    assertThat(report.at("/resumed/firstStarted")).isEqualTo(left.get("started"));
    // A message that both runs sent is the same one.
    assertThat(report.at("/input/asOf")).isEqualTo(left.at("/input/asOf"));
    assertThat(Instant.parse(report.at("/input/asOf").textValue()))
        .isEqualTo(Instant.parse(left.get("started").textValue()).truncatedTo(ChronoUnit.MILLIS));
    assertThat(before.at("/rollups/1h")).isEqualTo(left.get("rollups"));
    assertThat(before.get("bytesRead")).isEqualTo(left.at("/storage/bytesRead"));
    assertThat(before.get("rowsRead")).isEqualTo(left.at("/rows/read"));
    // The second run sent what it emitted and nothing else: no finished partition was emitted
    // again.
    long sentNow = topic.messages().messages() - sentBefore;
    assertThat(sentNow).isEqualTo(expected.size() - before.get("messagesAcknowledged").longValue());
    assertThat(resumed.out())
        .containsPattern("from before +runs +1")
        .containsPattern("partitions +" + finished)
        .containsPattern("books +close");
    readsLessThan(resumed, directory);
    isDoneNow(topic, directory, resumed);
  }

  /** As docs/rollup-job.md writes them: files of the current directory. */
  @Test
  void pathsMayBeRelative() throws Exception {
    RollupTopic topic = RollupTopic.create("resumed-relative");
    Path directory = TestFiles.directory("resumed-relative");
    String report = relative(directory).resolve("report.json").toString();
    String path = Path.of(URI.create(root)).toString();
    JobRun killed =
        new JobRun(directory)
            .with(data.input("file://" + path))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with(topic.options())
            .with("--partition-size=0.001", "--report=" + report, "--max-messages-per-second=100");
    try (ChildJob child = ChildJob.start(killed, directory)) {
      child.await("finished partitions", () -> finishedPartitions(killed) > 1);
    }
    JobRun resumed =
        new JobRun(directory)
            .with(data.input("file:" + path + "/"))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with(topic.options())
            .with("--partition-size=0.001", "--report=" + report, "--resume=./" + report)
            .run();
    assertThat(resumed.exitCode()).as(resumed::everything).isEqualTo(ExitCode.DONE);
    assertThat(resumed.reportJson().at("/resumed/partitions").intValue()).isPositive();
    topic.requireAll(expected);
  }

  private static Path relative(Path path) {
    return Path.of("").toAbsolutePath().relativize(path);
  }

  private static int finishedPartitions(JobRun job) throws Exception {
    return job.hasReport() ? job.reportJson().get("partitionsFinished").intValue() : 0;
  }

  private void requireWhole(JsonNode report) {
    assertThat(report.get("exitCode").intValue()).isZero();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(expected.size());
    assertThat(report.at("/messages/acknowledged").intValue()).isEqualTo(expected.size());
    assertThat(report.get("partitionsFinished")).isEqualTo(report.at("/plan/partitions"));
    assertThat(report.at("/resume/finished").isMissingNode()).isTrue();
  }

  /** Both runs together read what one run reads: nothing twice. */
  private void readsLessThan(JobRun resumed, Path directory) throws Exception {
    JobRun whole = job(RollupTopic.create("whole"), TestFiles.directory("whole")).run();
    assertThat(whole.exitCode()).as(whole::everything).isEqualTo(ExitCode.DONE);
    JsonNode one = whole.reportJson();
    JsonNode both = resumed.reportJson();
    for (String sum :
        new String[] {
          "rows", "points", "days", "storage", "rollups", "rollupsByInterval", "messages"
        }) {
      assertThat(both.get(sum)).as(sum + " in " + directory).isEqualTo(one.get(sum));
    }
    assertThat(whole.hasReport()).isTrue();
  }

  private void isDoneNow(RollupTopic topic, Path directory, JobRun resumed) throws Exception {
    String report = Files.readString(resumed.report(), StandardCharsets.UTF_8);
    long messages = topic.messages().messages();
    JobRun again = job(topic, directory).with("--resume=" + resumed.report()).run();
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
    assertThat(again.out()).contains("nothing is left");
    assertThat(again.err()).isEmpty();
    assertThat(topic.messages().messages()).isEqualTo(messages);
    assertThat(resumed.report()).content(StandardCharsets.UTF_8).isEqualTo(report);
  }

  /** The report of the killed run must be as it was after every refusal. */
  private void refusesWhatDoesNotFit(RollupTopic topic, JobRun killed) throws Exception {
    requireRefusal(
        topic,
        killed,
        report -> ((ObjectNode) report.at("/resume/snapshots")).put("--data-snapshot", "earlier"),
        "--data-snapshot taken was 'earlier', is '20");
    requireRefusal(
        topic,
        killed,
        report -> ((ObjectNode) report.at("/resume/target")).put("id of the topic", "another"),
        "id of the topic was 'another', is '");
    requireRefusal(
        topic,
        killed,
        report -> ((ObjectNode) report.at("/resume/finished/1")).put("startRow", "00"),
        "is not in the plan as it was");
  }

  private void requireRefusal(
      RollupTopic topic, JobRun killed, Consumer<JsonNode> change, String message)
      throws Exception {
    JsonNode changed = killed.reportJson();
    change.accept(changed);
    Path directory = TestFiles.directory("refused");
    JobRun run = job(topic, directory);
    Files.writeString(run.report(), new ObjectMapper().writeValueAsString(changed));
    long messages = topic.messages().messages();
    run.with("--resume=" + run.report()).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--resume " + run.report(), message);
    assertThat(run.reportJson()).isEqualTo(changed);
    assertThat(topic.messages().messages()).isEqualTo(messages);
  }
}
