package io.tsdbsuite.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.trigger.config.ConfigurationException;
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

class PrepareCoverageTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00.123Z");
  private static final Clock CLOCK = Clock.fixed(CREATED.plusSeconds(3600), ZoneOffset.UTC);
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");

  /** Before and after the end of the run of TestReport. */
  private static final String BEFORE = "2026-11-21T02:03:11.8Z";

  private static final String AFTER = "2026-11-21T02:03:12Z";

  private final FakeS3 s3 = new FakeS3();
  private final FakeSfn executions = new FakeSfn();
  private final Map<String, String> environment = TestSettings.environment();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void export() {
    executions.add("mine", CREATED, input(DAY));
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED).put(s3, "hbase/");
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", Instant.parse("2026-11-21T00:35:00.456Z"))
        .put(s3, "hbase/");
    environment.put("COVERAGE_PATIENCE", "30m");
  }

  private static String input(LocalDate day) {
    return "{\"v\":1,\"root\":\"s3://backup/hbase\",\"dataSnapshot\":\"tsdb-20261121\","
        + "\"uidSnapshot\":\"tsdb-uid-20261121\",\"days\":[\""
        + day
        + "\"]}";
  }

  private List<DayStep> steps(LocalDate day) throws IOException {
    return plan(day).steps();
  }

  private PrepareTask.Plan plan(LocalDate day) throws IOException {
    PrepareSettings settings = PrepareSettings.read(environment);
    String input = "{\"execution\":\"" + FakeSfn.arn("mine") + "\",\"input\":" + input(day) + "}";
    Metrics metrics = new Metrics("test");
    written.reset();
    PrintStream out = new PrintStream(written, true, UTF_8);
    PrepareTask.Plan plan =
        new PrepareTask(
                settings,
                s3.store(),
                s3.store(),
                new S3Reports(s3.store(), settings.backup().reportRoot()),
                new RunningExecutions(executions),
                CLOCK)
            .plan(
                PrepareInput.read(new ByteArrayInputStream(input.getBytes(UTF_8))),
                new JsonLog(out, Clock.systemUTC(), "r1"),
                metrics,
                new Deadline(() -> 60_000));
    metrics.write(out, Clock.systemUTC());
    return plan;
  }

  /** Days of which only the coverage is missing. */
  private List<LocalDate> uncovered(LocalDate day) throws IOException {
    return steps(day).stream().filter(step -> step.run().isEmpty()).map(DayStep::day).toList();
  }

  private void run(LocalDate day, boolean proves) {
    TestReport report = TestReport.done().day(day);
    s3.put("reports/" + day + ".json", (proves ? report.proof(CREATED) : report).toString());
  }

  private void look(LocalDate day, int exitCode, String started, String message, String reason) {
    s3.put(
        "reports/coverage-" + day + ".json",
        """
        {"report":"rollup-job coverage add","v":1,"state":"ended","exitCode":%d,"message":"%s",
         "started":"%s","ended":"%s","coverage":{"windows":[],"reason":"%s"}}
        """
            .formatted(exitCode, message, started, AFTER, reason));
  }

  @Test
  void theRunIsFollowedByItsLook() throws IOException {
    environment.put(
        "JOB_OPTIONS",
        "[\"--tsd-config\",\"/home/hadoop/opentsdb.conf\",\"--rollup-config=/r.json\","
            + "\"--interval\",\"1h\",\"--tsd.storage.hbase.zk_quorum\",\"zk1\"]");
    List<DayStep> steps = steps(DAY);
    assertThat(steps).hasSize(1);
    assertThat(steps.get(0).run()).isPresent();
    assertThat(steps.get(0).coverage().orElseThrow().name()).isEqualTo("coverage 2026-11-20");
    assertThat(steps.get(0).coverage().orElseThrow().command())
        .containsExactly(
            "spark-submit",
            "--deploy-mode",
            "client",
            "--conf",
            "spark.hadoop.fs.s3a.endpoint.region=eu-west-1",
            "--conf",
            "spark.executor.cores=4",
            "s3://artifacts/jars/rollup-job.jar",
            "coverage",
            "add",
            "--evidence",
            "s3a://backup/reports/2026-11-20.json",
            "--tsd-config",
            "/home/hadoop/opentsdb.conf",
            "--rollup-config",
            "/r.json",
            "--tsd.storage.hbase.zk_quorum=zk1",
            "--patience",
            "30m",
            "--report",
            "s3a://backup/reports/coverage-2026-11-20.json");
  }

  private void searched(LocalDate day, String window) {
    s3.put(
        "reports/" + day + ".json",
        TestReport.done()
            .day(day)
            .with("/resume/snapshots", "--data-snapshot", day.plusDays(1) + "T00:30:00Z")
            .with("/resume/options", "--changed-since", day + "T00:25:00Z")
            .toString());
    s3.put(
        "reports/coverage-" + day + ".json",
        """
        {"report":"rollup-job coverage add","v":1,"state":"ended","exitCode":0,"message":"",
         "started":"%s","ended":"%s","coverage":{"windows":[%s],"reason":""}}
        """
            .formatted(AFTER, AFTER, window));
  }

  /** As on cron: the run of the day before has not refreshed the coverage, for example by a row. */
  @Test
  void aRunRefreshesWhatTheRunBeforeHasNot() throws IOException {
    searched(DAY.minusDays(2), "{\"interval\":\"1h\",\"changesSince\":\"2026-11-18T00:25:00Z\"}");
    searched(DAY.minusDays(1), "{\"interval\":\"1h\"}");
    String[] since = {"--since-report", "s3a://backup/reports/2026-11-19.json"};
    List<String> arguments = steps(DAY).get(0).run().orElseThrow().job().arguments();
    assertThat(arguments)
        .containsSequence(since)
        .containsSequence("--refresh-report", "s3a://backup/reports/2026-11-18.json");
    environment.remove("COVERAGE_PATIENCE");
    assertThat(steps(DAY).get(0).run().orElseThrow().job().arguments())
        .containsSequence(since)
        .doesNotContain("--refresh-report");
  }

  private void tiers() {
    environment.put("TIERS_TABLES", "tsdb-rollup-1h,ns:tsdb-rollup-1d");
    environment.put("TIERS_POLICY", "/home/hadoop/rollup/tiers.json");
    environment.put("PROOF_ROOT", "s3://logs/proofs");
  }

  @Test
  void tiersAreAboutTheSnapshotsOfTheNight() throws IOException {
    assertThat(plan(DAY).tiers()).isEmpty();
    tiers();
    environment.put(
        "JOB_OPTIONS",
        "[\"--tsd-config\",\"/opentsdb.conf\",\"--interval\",\"1h\",\"--any-bucket\","
            + "\"--tsd.storage.hbase.zk_quorum\",\"zk1\"]");
    List<DayStep.JobRun> tiers = plan(DAY).tiers();
    assertThat(tiers)
        .extracting(DayStep.JobRun::name)
        .containsExactly("tiers plan 2026-11-20", "tiers prove 2026-11-20");
    List<String> input =
        List.of(
            "--policy",
            "/home/hadoop/rollup/tiers.json",
            "--snapshot-root",
            "s3a://backup/hbase",
            "--data-snapshot",
            "tsdb-20261121",
            "--uid-snapshot",
            "tsdb-uid-20261121",
            "--tsd-config",
            "/opentsdb.conf",
            "--tsd.storage.hbase.zk_quorum=zk1");
    String rollups = "tsdb-rollup-1h-20261121,ns-tsdb-rollup-1d-20261121";
    assertThat(tiers.get(0).arguments())
        .startsWith("tiers", "plan")
        .containsSequence(input)
        .endsWith(
            "--rollup-snapshot", rollups, "--page", "s3a://backup/reports/tiers-2026-11-20.html")
        .hasSize(17);
    assertThat(tiers.get(1).arguments())
        .startsWith("tiers", "prove")
        .containsSequence(input)
        .endsWith(
            "--any-bucket",
            "--against-snapshot",
            rollups,
            "--proofs",
            "s3a://logs/proofs",
            "--max-days",
            "7",
            "--coverage-table",
            "tsdb-coverage",
            "--report",
            "s3a://backup/reports/tiers-2026-11-20.json")
        .hasSize(24);
    assertThat(tiers.get(1).command()).startsWith("spark-submit").contains("tiers", "prove");
  }

  /** A run that reads another table than that of the floors would take rollups back. */
  @Test
  void tiersHaveOneCoverageTable() throws IOException {
    String options = "[\"--tsd-config\",\"/opentsdb.conf\",\"--coverage-table\",\"%s\"]";
    environment.put("JOB_OPTIONS", options.formatted("other"));
    assertThat(plan(DAY).tiers()).isEmpty();
    tiers();
    assertThatThrownBy(() -> plan(DAY))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "1 configuration problem: JOB_OPTIONS --coverage-table must be tsdb-coverage with"
                + " TIERS_TABLES: it has the floors, found: 'other'");
    environment.put("JOB_OPTIONS", options.formatted("tsdb-coverage"));
    assertThat(plan(DAY).tiers()).hasSize(2);
    List<String> given = plan(DAY).steps().get(0).run().orElseThrow().plan().arguments();
    assertThat(given).containsOnlyOnce("--coverage-table");
    // Without it a run that meets deleted rows would end with exit code 2.
    environment.put("JOB_OPTIONS", "[\"--tsd-config\",\"/opentsdb.conf\"]");
    assertThat(plan(DAY).steps().get(0).run().orElseThrow().plan().arguments())
        .containsExactlyInAnyOrderElementsOf(given);
    environment.remove("TIERS_TABLES");
    assertThat(plan(DAY).steps().get(0).run().orElseThrow().plan().arguments())
        .doesNotContain("--coverage-table");
  }

  /** Snapshots of a backfill may be older than a proof may be. */
  @Test
  void onlyTheExecutionOfTheNightsOwnDayHasTiers() throws IOException {
    tiers();
    assertThat(plan(DAY.minusDays(1)).tiers()).isEmpty();
    // An attempt after the loss of instances, of which the night's own day is done.
    run(DAY, true);
    look(DAY, 0, AFTER, "", "");
    assertThat(plan(DAY).steps()).isEmpty();
    assertThat(plan(DAY).tiers()).hasSize(2);
    environment.put("TIERS_TABLES", "a table");
    environment.remove("TIERS_POLICY");
    environment.put("PROOF_ROOT", "/proofs");
    assertThatThrownBy(() -> plan(DAY))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "3 problems: TIERS_TABLES must be names of HBase tables, with commas, found: 'a"
                + " table'; TIERS_POLICY must be set; PROOF_ROOT must be s3://bucket or"
                + " s3://bucket/prefix, found: '/proofs'");
  }

  private void verify() {
    environment.put("VERIFY_SAMPLE", "1%");
    environment.put("ROLLUP_TABLES", "tsdb-rollup-1h,ns:tsdb-rollup-1d");
  }

  /** A day of the night before, with that night's snapshot. */
  private void ranBefore(LocalDate day, int exitCode) {
    s3.put(
        "reports/" + day + ".json",
        (exitCode == 0 ? TestReport.done() : TestReport.failed(exitCode, 0))
            .day(day)
            .with("", "ended", "2026-11-20T02:03:11Z")
            .with("/resume/snapshots", "--data-snapshot", "2026-11-20T00:30:00Z")
            .with("/resume/options", "--data-snapshot", "tsdb-20261120")
            .toString());
  }

  /** Raw data of the night before, rollups of this one. */
  @Test
  void theDayOfTheNightBeforeIsVerified() throws IOException {
    ranBefore(DAY.minusDays(1), 0);
    assertThat(plan(DAY).verify()).isEmpty();
    assertThat(written.toString(UTF_8)).doesNotContain("DaysUnverified");
    verify();
    environment.put(
        "JOB_OPTIONS",
        "[\"--tsd-config\",\"/opentsdb.conf\",\"--interval\",\"1h\",\"--hold-back\",\"1h\","
            + "\"--max-failed-rows\",\"5\",\"--max-messages-per-second\",\"9\"]");
    List<DayStep.JobRun> verify = plan(DAY).verify();
    assertThat(verify).hasSize(1);
    assertThat(verify.get(0).name()).isEqualTo("verify 2026-11-19");
    assertThat(verify.get(0).arguments())
        .containsExactly(
            "verify",
            "--snapshot-root",
            "s3a://backup/hbase",
            "--data-snapshot",
            "tsdb-20261120",
            "--uid-snapshot",
            "tsdb-uid-20261121",
            "--day",
            "2026-11-19",
            "--tsd-config",
            "/opentsdb.conf",
            "--interval",
            "1h",
            "--hold-back",
            "1h",
            "--max-failed-rows",
            "5",
            "--sample",
            "1%",
            "--against-snapshot",
            "tsdb-rollup-1h-20261121,ns-tsdb-rollup-1d-20261121",
            "--report",
            "s3a://backup/reports/verify-2026-11-19.json");
    assertThat(written.toString(UTF_8)).contains("\"DaysUnverified\":0");
    // Once; a run of the day after it is verified again.
    s3.put(
        "reports/verify-2026-11-19.json",
        "{\"report\":\"rollup-job verify\",\"exitCode\":0,\"ended\":\"2026-11-20T02:03:11Z\"}");
    assertThat(plan(DAY).verify()).isEmpty();
    // With floors deleted data are no difference.
    s3.put(
        "reports/verify-2026-11-19.json",
        "{\"report\":\"rollup-job verify\",\"exitCode\":1,\"ended\":\"2026-11-20T02:03:11Z\"}");
    tiers();
    assertThat(plan(DAY).verify().get(0).arguments())
        .containsSequence("--coverage-table", "tsdb-coverage");
  }

  @Test
  void whatNoSnapshotsFitIsTold() throws IOException {
    verify();
    // Days before the first verification were never to be verified.
    s3.put(
        "reports/verify-2026-11-18.json",
        "{\"report\":\"rollup-job verify\",\"exitCode\":0,\"ended\":\"2026-11-18T02:03:11Z\"}");
    ranBefore(DAY.minusDays(1), 0);
    // The snapshots of a backfill are old, and the night's own execution verifies.
    assertThat(plan(DAY.minusDays(2)).verify()).isEmpty();
    // Without a report of the day before the older one has the last run.
    s3.put(
        "reports/2026-11-18.json",
        TestReport.done()
            .day(DAY.minusDays(2))
            .with("", "ended", "2026-11-19T02:03:11Z")
            .with("/resume/snapshots", "--data-snapshot", "2026-11-19T00:30:00Z")
            .toString());
    assertThat(plan(DAY).verify())
        .extracting(DayStep.JobRun::name)
        .containsExactly("verify 2026-11-19");
    assertThat(written.toString(UTF_8))
        .contains("\"DaysUnverified\":1", "not verified, and not any more")
        .contains("\"day\":\"2026-11-18\"");
    // A failed run may have sent late data of the day before it.
    ranBefore(DAY.minusDays(1), 1);
    assertThat(plan(DAY).verify()).isEmpty();
    assertThat(written.toString(UTF_8)).contains("\"DaysUnverified\":1");
    environment.put("VERIFY_SAMPLE", "all");
    environment.remove("ROLLUP_TABLES");
    assertThatThrownBy(() -> plan(DAY))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "2 problems: VERIFY_SAMPLE must be a part of the series, such as 1%, found: 'all';"
                + " ROLLUP_TABLES must be set");
  }

  @Test
  void withoutPatienceThereIsNoLook() throws IOException {
    environment.remove("COVERAGE_PATIENCE");
    run(DAY.minusDays(1), true);
    List<DayStep> steps = steps(DAY);
    assertThat(steps).hasSize(1);
    assertThat(steps.get(0).coverage()).isEmpty();
    assertThat(written.toString(UTF_8)).doesNotContain("DaysUncovered");
    environment.put("COVERAGE_PATIENCE", "half an hour");
    assertThatThrownBy(() -> steps(DAY))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("COVERAGE_PATIENCE must be a time such as 30m");
  }

  /** A run may store rollups of earlier days again, which their own run then does not prove. */
  @Test
  void uncoveredDaysOfAWeekComeBeforeTheRuns() throws IOException {
    for (int back = 1; back <= 8; back++) {
      run(DAY.minusDays(back), back != 2);
    }
    look(DAY.minusDays(3), 0, AFTER, "", "");
    look(DAY.minusDays(4), 0, BEFORE, "", "");
    look(DAY.minusDays(5), 3, AFTER, "7 rollups are missing", "7 rollups are missing");
    look(DAY.minusDays(6), 0, AFTER, "", "the run has failed rows");
    List<DayStep> steps = steps(DAY);
    assertThat(steps)
        .extracting(DayStep::day)
        .containsExactly(DAY.minusDays(5), DAY.minusDays(4), DAY.minusDays(1), DAY);
    assertThat(steps).extracting(step -> step.run().isPresent()).endsWith(false, true);
    // The runs of the night wait for no TSD that had a day.
    assertThat(steps)
        .extracting(step -> step.coverage().orElseThrow().arguments())
        .extracting(arguments -> arguments.get(arguments.indexOf("--patience") + 1))
        .containsExactly("0s", "0s", "0s", "30m");
    // With the one that proves nothing, which no look can change.
    assertThat(written.toString(UTF_8))
        .contains("\"DaysUncovered\":4", "7 rollups are missing", "the run has failed rows");
  }

  @Test
  void ofADayThatIsDoneOnlyTheCoverageMayBeMissing() throws IOException {
    LocalDate old = DAY.minusDays(20);
    run(old, true);
    assertThat(uncovered(old)).containsExactly(old);
    assertThat(uncovered(DAY)).isEmpty();
    look(old, 0, AFTER, "", "");
    assertThat(steps(old)).isEmpty();
    assertThat(written.toString(UTF_8)).contains("\"DaysUncovered\":0");
  }

  @Test
  void aDayThatAnOlderExecutionRunsIsLeftToIt() throws IOException {
    run(DAY.minusDays(1), true);
    executions.add("older", CREATED.minusSeconds(1), input(DAY.minusDays(1)));
    assertThat(uncovered(DAY)).isEmpty();
    executions.end("older");
    assertThat(uncovered(DAY)).containsExactly(DAY.minusDays(1));
    // A failed day has nothing to cover.
    s3.put(
        "reports/2026-11-19.json",
        TestReport.failed(1, 0).day(DAY.minusDays(1)).proof(CREATED).toString());
    assertThat(uncovered(DAY)).isEmpty();
  }
}
