package io.tsdbsuite.rollup.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.EarlierRuns;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.PlanFingerprint;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.report.TestReports;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a report says is what a resumed run gets. */
class EarlierRunReaderTest {
  private static final int PARTITIONS = 6;

  private final RollupPlan plan = TestReports.plan(PARTITIONS);
  private final RunIdentity identity =
      new RunIdentity(
          TestReports.identity().version(),
          TestReports.identity().options(),
          Map.of("--data-snapshot", "2026-11-20T01:00:00Z"),
          Map.of("id of the topic", "vXk9", "partitions of the topic", "12"),
          PlanFingerprint.of(plan));
  private final FinishedPartitions finished = new FinishedPartitions();

  private String report(ExitCode exitCode, EarlierRuns earlier) {
    return TestReports.json(TestReports.report(exitCode, plan, identity, finished, earlier));
  }

  private static EarlierRun read(String json) throws IOException {
    return EarlierRunReader.read(
        "r.json", new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  private void finish(int... indexes) {
    for (int index : indexes) {
      finished.add(plan.partitions().get(index), TestReports.books(index));
    }
  }

  @Test
  void aRunningReportComesBackWhole() throws IOException {
    finish(4, 1, 2);
    String json = report(null, null);
    assertThat(json).contains("\"state\" : \"running\"", "\"exitCode\" : null");
    EarlierRun earlier = read(json);
    assertThat(earlier.done()).isFalse();
    assertThat(earlier.identity()).isEqualTo(identity);
    assertThat(earlier.started()).isEqualTo(TestReports.STARTED);
    assertThat(earlier.runs()).isZero();
    assertThat(earlier.finished().indexes()).containsExactly(1, 2, 4);
    assertThat(earlier.finished().json()).containsExactlyElementsOf(finished.json().toList());
    assertThat(earlier.finished().books()).usingRecursiveComparison().isEqualTo(finished.books());
    assertThat(earlier.finished().books().samples().get(FailReason.UNRESOLVED_UID)).hasSize(3);
    assertThat(ResumeCheck.options(earlier, identity)).isEmpty();
    assertThat(ResumeCheck.snapshots(earlier, identity.snapshots())).isEmpty();
    assertThat(ResumeCheck.plan(earlier, plan)).isEmpty();
  }

  @Test
  void aThirdRunKnowsTheFirst() throws IOException {
    finish(0);
    EarlierRuns first =
        new EarlierRuns(
            "r.json", 1, TestReports.STARTED.minusSeconds(3600), 1, TestReports.books(0));
    EarlierRuns both = read(report(ExitCode.OUTSIDE, first)).toEarlierRuns();
    assertThat(both.runs()).isEqualTo(2);
    assertThat(both.started()).isEqualTo(first.started());
    assertThat(both.partitions()).isEqualTo(1);
  }

  @Test
  void ofARunThatIsDoneNothingIsKept() throws IOException {
    finish(0, 1, 2, 3, 4, 5);
    EarlierRun earlier = read(report(ExitCode.DONE, null));
    assertThat(earlier.done()).isTrue();
    assertThat(earlier.finished().size()).isZero();
    assertThat(earlier.identity()).isEqualTo(identity);
  }

  @Test
  void everyTruncationIsRefused() {
    finish(0, 1, 2);
    String json = report(null, null);
    int end = json.lastIndexOf('}');
    for (int length = 0; length <= end; length++) {
      String part = json.substring(0, length);
      assertThatThrownBy(() -> read(part))
          .isInstanceOf(JobException.class)
          .hasMessageStartingWith("--resume r.json ");
    }
  }

  @Test
  void whatIsNoReportIsRefused() {
    assertThatThrownBy(() -> read("[]")).hasMessageContaining("is not a report of this job");
    assertThatThrownBy(() -> read("rows 17")).hasMessageContaining("is not a report of this job");
    assertThatThrownBy(() -> read("{\"report\":\"load\",\"v\":2}"))
        .hasMessageContaining("it lacks \"report\":\"rollup-job\"");
  }

  @Test
  void anotherVersionIsRefused() {
    String json = report(null, null).replace("\"v\" : 3", "\"v\" : 2");
    assertThatThrownBy(() -> read(json))
        .hasMessageContaining("must be a report of version 3, found version 2")
        .hasMessageContaining("without --resume");
  }

  @Test
  void aReportWithoutFinishedPartitionsIsRefused() {
    String json =
        TestReports.json(TestReports.report(ExitCode.OUTSIDE, plan, identity, null, null));
    assertThatThrownBy(() -> read(json)).hasMessageContaining("cannot be resumed");
  }

  /** Its sink would keep the finished rollups, but a defect makes their values unreliable. */
  @Test
  void aRunThatMetADefectIsNotResumed() {
    finish(0, 1);
    String json = report(ExitCode.DEFECT, null);
    assertThat(json).contains("\"outcome\" : \"defect\"").doesNotContain("\"finished\"");
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("cannot be resumed: the run ended with exit code 4");
  }

  @Test
  void booksThatDoNotCloseAreDamage() {
    finish(3);
    String json = report(null, null).replace("\"rowsRead\":4", "\"rowsRead\":5");
    assertThatThrownBy(() -> read(json))
        .hasMessageContaining("is damaged: the books of partition 3 do not close");
    String negative = report(null, null).replace("\"readCalls\":4096", "\"readCalls\":-1");
    assertThatThrownBy(() -> read(negative)).hasMessageContaining("readCalls must be a number");
    String unknown = report(null, null).replace("\"readCalls\":", "\"redCalls\":");
    assertThatThrownBy(() -> read(unknown)).hasMessageContaining("unknown count redCalls");
    String twice = report(null, null).replaceFirst("(\\{\"index\":3.*)", "$1,$1");
    assertThatThrownBy(() -> read(twice)).hasMessageContaining("partition 3 is there twice");
  }

  @Test
  void everyDifferenceIsTold() throws IOException {
    finish(0, 1);
    EarlierRun earlier = read(report(null, null));
    RunIdentity other = new RunIdentity("rollup-job 1.1", Map.of("--topic", "x", "--to", "b"));
    assertThat(ResumeCheck.options(earlier, other))
        .containsExactly(
            "--resume r.json: the job's version was 'rollup-job 1.0', is 'rollup-job 1.1' now",
            "--resume r.json: --from was 'a', is not given now",
            "--resume r.json: --to was not given, is 'b' now",
            "--resume r.json: --topic was 'rollups', is 'x' now");
    assertThat(ResumeCheck.snapshots(earlier, Map.of("--data-snapshot", "later")))
        .containsExactly(
            "--resume r.json: --data-snapshot taken was '2026-11-20T01:00:00Z', is 'later' now");
  }

  /** Deleted and created again under its name: what the earlier run has sent is gone. */
  @Test
  void anotherTopicOfTheSameNameIsRefused() throws IOException {
    finish(0, 1);
    EarlierRun earlier = read(report(null, null));
    assertThat(ResumeCheck.target(earlier, identity.target())).isEmpty();
    assertThat(
            ResumeCheck.target(
                earlier, Map.of("id of the topic", "a7Qz", "partitions of the topic", "24")))
        .containsExactly(
            "--resume r.json: id of the topic was 'vXk9', is 'a7Qz' now",
            "--resume r.json: partitions of the topic was '12', is '24' now");
  }

  @Test
  void anotherPlanIsRefused() throws IOException {
    finish(0, 5);
    EarlierRun earlier = read(report(null, null));
    assertThat(ResumeCheck.plan(earlier, TestReports.plan(PARTITIONS - 1)))
        .hasSize(2)
        .anyMatch(problem -> problem.contains("the plan was"))
        .anyMatch(problem -> problem.contains("partition 5 is not in the plan as it was"));
    EarlierRun moved = read(report(null, null).replaceFirst("\"files\":\"..", "\"files\":\"00"));
    assertThat(ResumeCheck.plan(moved, plan))
        .singleElement()
        .asString()
        .contains("partition 0 is not in the plan as it was");
  }

  @Test
  void manyPartitionsAreFine() throws IOException {
    int many = Seed.times(20_000, 100_000);
    IntStream.range(0, many)
        .forEach(i -> finished.add(TestReports.partition(i), TestReports.books(i)));
    String json = report(null, null);
    assertThat(json.length() / many).isLessThan(600);
    EarlierRun earlier = read(json);
    assertThat(earlier.finished().size()).isEqualTo(many);
    assertThat(earlier.finished().books().count(Count.ROWS_READ)).isEqualTo(4L * many);
  }
}
