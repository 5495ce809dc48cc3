package io.tsdbsuite.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.trigger.config.PrepareSettings;
import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.report.TestReport;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.TestSnapshot;
import io.tsdbsuite.trigger.start.ExecutionInput.PrepareInput;
import io.tsdbsuite.trigger.start.FakeSfn;
import io.tsdbsuite.trigger.start.RunningExecutions;
import io.tsdbsuite.trigger.step.DayStep;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nights whose runs write HFiles. */
class PrepareLoadTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00.123Z");
  private static final Clock CLOCK = Clock.fixed(CREATED.plusSeconds(3600), ZoneOffset.UTC);
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");

  private final FakeS3 s3 = new FakeS3();
  private final FakeSfn executions = new FakeSfn();
  private final Map<String, String> environment = TestSettings.environment();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void export() {
    TestSettings.hfiles(environment);
    environment.put("COVERAGE_PATIENCE", "30m");
    executions.add("mine", CREATED, input(DAY));
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED).put(s3, "hbase/");
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", Instant.parse("2026-11-21T00:35:00.456Z"))
        .put(s3, "hbase/");
  }

  private static String input(LocalDate day) {
    return "{\"v\":1,\"root\":\"s3://backup/hbase\",\"dataSnapshot\":\"tsdb-20261121\","
        + "\"uidSnapshot\":\"tsdb-uid-20261121\",\"days\":[\""
        + day
        + "\"]}";
  }

  private static PrepareInput prepare(LocalDate day, String more) throws IOException {
    String input = "{\"execution\":\"" + FakeSfn.arn("mine") + "\",\"input\":" + input(day);
    return PrepareInput.read(new ByteArrayInputStream((input + more + "}").getBytes(UTF_8)));
  }

  private PrepareTask task() {
    PrepareSettings settings = PrepareSettings.read(environment);
    return new PrepareTask(
        settings,
        s3.store(),
        s3.store(),
        new S3Reports(s3.store(), settings.backup().reportRoot()),
        new RunningExecutions(executions),
        CLOCK);
  }

  private List<DayStep> steps(LocalDate day) throws IOException {
    return plan(day).steps();
  }

  private PrepareTask.Plan plan(LocalDate day) throws IOException {
    written.reset();
    PrintStream out = new PrintStream(written, true, UTF_8);
    Metrics metrics = new Metrics("test");
    PrepareTask.Plan plan =
        task()
            .plan(
                prepare(day, ""),
                new JsonLog(out, Clock.systemUTC(), "r1"),
                metrics,
                new Deadline(() -> 60_000));
    metrics.write(out, Clock.systemUTC());
    return plan;
  }

  /** A run of a day that has written HFiles, with their manifest. */
  private void run(LocalDate day) {
    s3.put(
        "reports/" + day + ".json",
        TestReport.done().day(day).hfiles("s3a://logs/hfiles/1-" + day).toString());
    s3.put("hfiles/1-" + day + "/manifest.json", "{}");
  }

  private void loaded(LocalDate day) {
    s3.put("hfiles/1-" + day + "/_loaded", "{}");
  }

  @Test
  void theRunHasNoKafkaAndNoLook() throws IOException {
    List<DayStep> steps = steps(DAY);
    assertThat(steps).hasSize(1);
    assertThat(steps.get(0).coverage()).isEmpty();
    assertThat(steps.get(0).run().orElseThrow().job().arguments())
        .containsExactly(
            "--snapshot-root",
            "s3a://backup/hbase",
            "--data-snapshot",
            "tsdb-20261121",
            "--day",
            "2026-11-20",
            "--report",
            "s3a://backup/reports/2026-11-20.json",
            "--tsd-config",
            "/home/hadoop/opentsdb.conf",
            "--interval",
            "1h",
            "--sink",
            "hfile",
            "--hfile-dir",
            "s3a://logs/hfiles");
  }

  /** The job refuses to resume a run that writes HFiles. */
  @Test
  void aKilledRunStartsAnew() throws IOException {
    s3.put("reports/2026-11-20.json", TestReport.killed(3).hfiles("s3a://logs/x").toString());
    assertThat(steps(DAY).get(0).run().orElseThrow().plan().resumes()).isFalse();
  }

  /** Until the directory is marked, whatever the load's report says. */
  @Test
  void theHFilesOfARunAreLoadedUntilTheyAreMarked() throws IOException {
    assertThat(prepare(DAY, ",\"load\":\"2026-11-20\"").load()).contains(DAY);
    assertThat(prepare(DAY, "").load()).isEmpty();
    assertThatThrownBy(() -> prepare(DAY, ",\"load\":\"yes\""))
        .hasMessageContaining("the input's load must be a day, yyyy-MM-dd, found: \"yes\"");
    assertThat(task().load(DAY)).as("no run").isEmpty();
    run(DAY);
    environment.put(
        "JOB_OPTIONS",
        environment
            .get("JOB_OPTIONS")
            .replace(
                "]",
                ",\"--tsd.storage.hbase.zk_quorum=zk1\",\"--coverage-table=c\","
                    + "\"--hbase-property\",\"a=b\"]"));
    DayStep.JobRun load = task().load(DAY).orElseThrow();
    assertThat(load.name()).isEqualTo("load 2026-11-20");
    assertThat(load.arguments())
        .containsExactly(
            "load",
            "--hfile-dir",
            "s3a://logs/hfiles/1-2026-11-20",
            "--tsd-config",
            "/home/hadoop/opentsdb.conf",
            "--tsd.storage.hbase.zk_quorum=zk1",
            "--coverage-table",
            "c",
            "--hbase-property",
            "a=b",
            "--report",
            "s3a://backup/reports/load-2026-11-20.json");
    s3.put(
        "reports/load-2026-11-20.json",
        "{\"exitCode\":0,\"hfileDir\":\"s3a://logs/hfiles/1-2026-11-20\"}");
    assertThat(task().load(DAY)).isPresent();
    loaded(DAY);
    assertThat(task().load(DAY)).isEmpty();
    // With the sink Kafka there is nothing to load.
    s3.remove("hfiles/1-2026-11-20/_loaded");
    environment.clear();
    environment.putAll(TestSettings.environment());
    assertThat(task().load(DAY)).isEmpty();
  }

  @Test
  void whatWaitsIsLoadedBeforeTheRuns() throws IOException {
    for (int back : new int[] {1, 2, 45, 46}) {
      run(DAY.minusDays(back));
    }
    loaded(DAY.minusDays(2));
    List<DayStep> steps = steps(DAY);
    // Of older days no night has run any within the life of its files.
    assertThat(steps)
        .extracting(DayStep::day)
        .containsExactly(DAY.minusDays(45), DAY.minusDays(1), DAY);
    assertThat(steps)
        .extracting(step -> step.run().isPresent())
        .containsExactly(false, false, true);
    assertThat(steps).allMatch(step -> step.coverage().isEmpty());
    assertThat(written.toString(UTF_8)).contains("\"DaysUncovered\":2");
  }

  @Test
  void ofADayThatIsDoneOnlyTheLoadMayBeMissing() throws IOException {
    run(DAY.minusDays(20));
    List<DayStep> steps = steps(DAY.minusDays(20));
    assertThat(steps).extracting(DayStep::day).containsExactly(DAY.minusDays(20));
    assertThat(steps.get(0).run()).isEmpty();
    loaded(DAY.minusDays(20));
    assertThat(steps(DAY.minusDays(20))).isEmpty();
  }

  /** By a lifecycle rule, or a person, before a load has succeeded. */
  @Test
  void aDayWhoseHFilesAreGoneIsNotDone() throws IOException {
    run(DAY.minusDays(1));
    s3.remove("hfiles/1-2026-11-19/manifest.json");
    assertThat(steps(DAY)).extracting(DayStep::day).containsExactly(DAY);
    assertThat(written.toString(UTF_8))
        .contains("\"DaysUncovered\":1", "were not loaded and are gone: s3a://logs/hfiles/1-2026");
    assertThat(steps(DAY.minusDays(1)).get(0).run()).isPresent();
    assertThatThrownBy(() -> task().load(DAY.minusDays(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("were not loaded and are gone");
    // They are removed after a load, and expire with its mark.
    s3.put(
        "reports/load-2026-11-19.json",
        "{\"exitCode\":0,\"hfileDir\":\"s3a://logs/hfiles/1-2026-11-19\"}");
    assertThat(steps(DAY.minusDays(1))).isEmpty();
    assertThat(steps(DAY)).extracting(DayStep::day).containsExactly(DAY);
    assertThat(written.toString(UTF_8)).contains("\"DaysUncovered\":0");
  }

  /** The job has no rights there, and the functions none. */
  @Test
  void aDirectoryElsewhereDoesNotExist() throws IOException {
    run(DAY);
    s3.put(
        "reports/2026-11-20.json",
        TestReport.done().hfiles("s3a://logs/hfiles2/1-2026-11-20").toString());
    s3.put("hfiles2/1-2026-11-20/manifest.json", "{}");
    assertThatThrownBy(() -> task().load(DAY)).hasMessageContaining("are gone: s3a://logs/hfiles2");
  }

  /** The snapshots of the rollup tables have what was loaded before them. */
  @Test
  void aDayIsVerifiedWhenItWasLoadedBeforeTheSnapshots() throws IOException {
    environment.put("VERIFY_SAMPLE", "1%");
    environment.put("ROLLUP_TABLES", "tsdb-rollup-1h");
    LocalDate before = DAY.minusDays(1);
    s3.put(
        "reports/" + before + ".json",
        TestReport.done()
            .day(before)
            .hfiles("s3a://logs/hfiles/1-a")
            .with("", "ended", "2026-11-20T02:00:00Z")
            .with("/resume/snapshots", "--data-snapshot", "2026-11-20T00:30:00Z")
            .toString());
    s3.put("hfiles/1-a/manifest.json", "{}");
    assertThat(plan(DAY).verify()).isEmpty();
    assertThat(plan(DAY).steps()).extracting(DayStep::day).containsExactly(before, DAY);
    s3.put("hfiles/1-a/_loaded", "{}");
    load(before, 0, CREATED.plusSeconds(1));
    assertThat(plan(DAY).verify()).isEmpty();
    load(before, 3, CREATED);
    assertThat(plan(DAY).verify()).isEmpty();
    load(before, 0, CREATED);
    assertThat(plan(DAY).verify())
        .extracting(DayStep.JobRun::name)
        .containsExactly("verify 2026-11-19");
    assertThat(written.toString(UTF_8)).contains("\"DaysUnverified\":0");
  }

  private void load(LocalDate day, int exitCode, Instant ended) {
    s3.put(
        "reports/load-" + day + ".json",
        "{\"exitCode\":%d,\"hfileDir\":\"s3a://logs/hfiles/1-a\",\"ended\":\"%s\"}"
            .formatted(exitCode, ended));
  }

  @Test
  void twoLoadsOfOneRunDoNotMeet() throws IOException {
    run(DAY.minusDays(1));
    executions.add("other", CREATED.plusSeconds(1), input(DAY.minusDays(5)));
    assertThat(steps(DAY)).extracting(DayStep::day).containsExactly(DAY);
    assertThat(written.toString(UTF_8)).contains("\"DaysUncovered\":1");
    // By hand: an older execution may be about to load it.
    assertThat(steps(DAY.minusDays(1))).extracting(DayStep::day).containsExactly(DAY.minusDays(1));
    executions.add("older", CREATED.minusSeconds(1), input(DAY.minusDays(1)));
    assertThatThrownBy(() -> steps(DAY.minusDays(1))).isInstanceOf(DayIsRunning.class);
    executions.end("other");
    executions.end("older");
    assertThat(steps(DAY)).extracting(DayStep::day).containsExactly(DAY.minusDays(1), DAY);
  }
}
