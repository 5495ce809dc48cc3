package io.tsdbsuite.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import io.tsdbsuite.trigger.step.DayStep.DayRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrepareTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00.123Z");
  private static final Clock CLOCK = Clock.fixed(CREATED.plusSeconds(3600), ZoneOffset.UTC);
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final String REPORT = "reports/2026-11-20.json";
  private static final String INPUT =
      "{\"v\":1,\"root\":\"s3://backup/hbase\",\"dataSnapshot\":\"tsdb-20261121\","
          + "\"uidSnapshot\":\"tsdb-uid-20261121\",\"snapshotTime\":\"2026-11-21T00:30:00.123Z\","
          + "\"days\":[\"2026-11-20\"]}";

  private final FakeS3 s3 = new FakeS3();
  private final FakeSfn executions = new FakeSfn();
  private final Map<String, String> environment = TestSettings.environment();

  @BeforeEach
  void export() {
    executions.add("mine", CREATED, INPUT);
    TestSnapshot.whole("tsdb-20261121", "tsdb", CREATED).put(s3, "hbase/");
    TestSnapshot.whole("tsdb-uid-20261121", "tsdb-uid", Instant.parse("2026-11-21T00:35:00.456Z"))
        .put(s3, "hbase/");
  }

  private static PrepareInput input(String json) throws IOException {
    String whole = "{\"execution\":\"" + FakeSfn.arn("mine") + "\",\"input\":" + json + "}";
    return PrepareInput.read(new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8)));
  }

  private List<DayRun> steps(String input) throws IOException {
    PrepareSettings settings = PrepareSettings.read(environment);
    return new PrepareTask(
            settings,
            s3.store(),
            s3.store(),
            new S3Reports(s3.store(), settings.backup().reportRoot()),
            new RunningExecutions(executions),
            CLOCK)
            .plan(
                input(input),
                new JsonLog(
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                    Clock.systemUTC(),
                    "r1"),
                new Metrics("test"),
                new Deadline(() -> 60_000))
            .steps()
            .stream()
            .map(step -> step.run().orElseThrow())
            .toList();
  }

  private DayRun step() throws IOException {
    return steps(INPUT).get(0);
  }

  @Test
  void theWholeCommand() throws IOException {
    assertThat(step().job().name()).isEqualTo("rollup 2026-11-20");
    assertThat(step().report().uri()).isEqualTo("s3://backup/reports/2026-11-20.json");
    assertThat(step().job().command())
        .containsExactly(
            "spark-submit",
            "--deploy-mode",
            "client",
            "--conf",
            "spark.hadoop.fs.s3a.endpoint.region=eu-west-1",
            "--conf",
            "spark.executor.cores=4",
            "s3://artifacts/jars/rollup-job.jar",
            "--snapshot-root",
            "s3a://backup/hbase",
            "--data-snapshot",
            "tsdb-20261121",
            "--uid-snapshot",
            "tsdb-uid-20261121",
            "--day",
            "2026-11-20",
            "--kafka-bootstrap",
            "b-2:9096,b-1:9096",
            "--topic",
            "rollups",
            "--kafka-config",
            "/home/hadoop/kafka.properties",
            "--rollups-per-message",
            "24",
            "--report",
            "s3a://backup/reports/2026-11-20.json",
            "--tsd-config",
            "/home/hadoop/opentsdb.conf",
            "--interval",
            "1h");
    environment.put("KAFKA_CONFIG", "");
    environment.put("SPARK_OPTIONS", "[\"--master\",\"yarn\",\"--deploy-mode\",\"client\"]");
    assertThat(step().job().command())
        .doesNotContain("--kafka-config")
        .containsOnlyOnce("--deploy-mode")
        .containsSequence("--master", "yarn");
  }

  private void sizes() {
    environment.put("EXECUTOR_CORES", "8");
    environment.put("EXECUTOR_MEMORY", "20g");
    environment.put("MAX_EXECUTORS", "4");
    environment.put("DRIVER_CORES", "2");
    environment.put("DRIVER_MEMORY", "4096m");
    environment.put("BACKUP_REGION", "us-east-1");
  }

  @Test
  void sizesAndRegions() throws IOException {
    sizes();
    environment.put("SPARK_OPTIONS", "[\"--conf\",\"spark.executor.cores=4\"]");
    assertThat(step().job().command())
        .startsWith(
            "spark-submit",
            "--deploy-mode",
            "client",
            "--conf",
            "spark.executor.cores=8",
            "--conf",
            "spark.executor.memory=20g",
            "--conf",
            "spark.dynamicAllocation.maxExecutors=4",
            "--conf",
            "spark.driver.cores=2",
            "--conf",
            "spark.driver.memory=4096m",
            "--conf",
            "spark.executor.extraJavaOptions=-Xms20g",
            "--conf",
            "spark.hadoop.fs.s3a.endpoint.region=eu-west-1",
            "--conf",
            "spark.hadoop.fs.s3a.bucket.backup.endpoint.region=us-east-1",
            // Spark takes the last value of a setting.
            "--conf",
            "spark.executor.cores=4",
            "s3://artifacts/jars/rollup-job.jar");
  }

  /** A JVM does not start with a first heap that is larger than its limit. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"--executor-memory\",\"4g\"]",
        "[\"--conf\",\"spark.executor.memory=4g\"]",
        "[\"--conf=spark.executor.memory=4g\"]"
      })
  void noFirstHeapWithAnotherLimit(String options) throws IOException {
    sizes();
    environment.put("SPARK_OPTIONS", options);
    assertThat(step().job().command())
        .noneMatch(option -> option.startsWith("spark.executor.extraJavaOptions"));
  }

  /** Spark takes the last value, without which the job would lack its configuration. */
  @Test
  void filesOfRepeatedOptionsAreJoined() throws IOException {
    environment.put(
        "SPARK_OPTIONS",
        "[\"--files\",\"s3://a/1,s3://a/2\",\"--conf\",\"k=v\",\"--jars\",\"s3://a/3.jar\","
            + "\"--jars=s3://b/4.jar\",\"--files\",\"s3://b/5\"]");
    assertThat(step().job().command())
        .containsSequence(
            "--files",
            "s3://a/1,s3://a/2,s3://b/5",
            "--jars",
            "s3://a/3.jar,s3://b/4.jar",
            "--conf",
            "k=v")
        .containsOnlyOnce("--files")
        .containsOnlyOnce("--jars");
  }

  @Test
  void onEmrServerless() throws IOException {
    environment.putAll(TestSettings.serverless());
    sizes();
    DayRun run = step();
    assertThat(run.job().jar()).isEqualTo("s3://artifacts/jars/rollup-job.jar");
    assertThat(run.job().sparkOptions())
        .startsWith("--class", "io.tsdbsuite.rollup.cli.RollupMain")
        .containsSequence("--conf", "spark.executor.memory=20g")
        .contains("spark.executor.instances=1", "spark.dynamicAllocation.initialExecutors=1")
        .endsWith("--files", "s3://artifacts/opentsdb.conf,s3://artifacts/kafka.properties")
        .doesNotContain("--deploy-mode", "client");
    assertThat(run.job().arguments())
        .startsWith("--snapshot-root", "s3a://backup/hbase")
        .containsSequence("--kafka-config", "kafka.properties")
        .containsSequence("--tsd-config", "opentsdb.conf");
    s3.put(REPORT, TestReport.killed(3).toString());
    assertThat(step().job().arguments())
        .containsSequence("--resume", "s3a://backup/reports/2026-11-20.json");
  }

  @Test
  void tablesOfANamespace() throws IOException {
    environment.put("DATA_TABLE", "metrics:tsdb");
    environment.put("UID_TABLE", "metrics:tsdb-uid");
    TestSnapshot.whole("metrics-tsdb-20261121", "metrics:tsdb", CREATED).put(s3, "hbase/");
    TestSnapshot.whole("metrics-tsdb-uid-20261121", "metrics:tsdb-uid", CREATED).put(s3, "hbase/");
    List<DayRun> steps = steps(INPUT.replace("\"tsdb-", "\"metrics-tsdb-"));
    assertThat(steps.get(0).job().command())
        .containsSequence("--data-snapshot", "metrics-tsdb-20261121")
        .containsSequence("--uid-snapshot", "metrics-tsdb-uid-20261121");
  }

  @Test
  void doneDaysAreLeftOut() throws IOException {
    s3.put(REPORT, TestReport.done().toString());
    s3.put("reports/2026-11-19.json", TestReport.done().day(DAY.minusDays(1)).toString());
    assertThat(steps(INPUT)).isEmpty();
    String three = INPUT.replace("[", "[\"2026-11-19\",\"2026-11-18\",");
    assertThat(steps(three)).extracting(run -> run.plan().day()).containsExactly(DAY.minusDays(2));
  }

  /** A run of the day by hand has put its report in the place of the pipeline's. */
  @ParameterizedTest
  @CsvSource({
    "/resume/options, --metrics, sys.*, --metrics",
    "/resume/options, --interval, 10m, --interval",
    "/resume/options, --topic, rollups-2, --topic",
    "/input, dataTable, tsdb-old, the data table",
  })
  void aDayWithAReportOfOtherSettingsIsNotDone(
      String object, String name, String former, String difference) throws IOException {
    requireWhole(TestReport.done().with(object, name, former), difference + " differs");
  }

  @Test
  void aReportWithoutSettingsMakesNoDayDone() throws IOException {
    TestReport report = TestReport.done().without("/input", "dataTable");
    report.without("/resume", "options");
    s3.put(REPORT, report.with("", "v", "1").toString());
    assertThat(steps(INPUT)).hasSize(1);
  }

  @Test
  void theOwnDayIsDoneBySnapshotsOfTheSameTimeOnly() throws IOException {
    s3.put(
        REPORT,
        TestReport.done()
            .with("/resume/snapshots", "--data-snapshot", "2026-11-21T00:29:00.123Z")
            .toString());
    assertThat(steps(INPUT)).hasSize(1);
    assertThat(step().plan().resumes()).isFalse();
  }

  @Test
  void notBeforeHasDaysRunAgain() throws IOException {
    s3.put(REPORT, TestReport.done().toString());
    assertThat(steps(INPUT.replace("}", ",\"notBefore\":\"2026-11-21T01:10:49Z\"}"))).isEmpty();
    assertThat(steps(INPUT.replace("}", ",\"notBefore\":\"2026-11-21T03:00:00Z\"}"))).hasSize(1);
    // While another execution ran it, perhaps from older snapshots.
    assertThat(steps(INPUT.replace("}", ",\"notBefore\":\"2026-11-21T01:10:50Z\"}"))).hasSize(1);
  }

  static List<TestReport> resumable() {
    return List.of(TestReport.killed(3), TestReport.failed(3, 1));
  }

  @ParameterizedTest
  @MethodSource("resumable")
  void resumes(TestReport report) throws IOException {
    s3.put(REPORT, report.toString());
    assertThat(step().job().command())
        .containsSequence(
            "--report",
            "s3a://backup/reports/2026-11-20.json",
            "--resume",
            "s3a://backup/reports/2026-11-20.json");
    environment.put("JOB_JAR", "s3://artifacts/rollup-job.jar");
    assertThat(step().plan().resumes()).isTrue();
  }

  @Test
  void runsWholeWhereTheJobWouldRefuse() throws IOException {
    requireWhole(TestReport.failed(1, 3), "its run ended with exit code 1");
    requireWhole(TestReport.killed(0), "no partition was finished");
    requireWhole(
        TestReport.killed(3).with("", "report", "other"), "it is not a report of this job");
    requireWhole(
        TestReport.killed(3).with("/resume/snapshots", "--uid-snapshot", "2026-11-21T00:00:00Z"),
        "it is of other snapshots");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--topic", "--kafka-bootstrap", "--interval", "--from"})
  void runsWholeWithAnotherOption(String option) throws IOException {
    requireWhole(TestReport.killed(3).with("/resume/options", option, "x"), option + " differs");
  }

  /** Partitions that a defective run finished may be wrong, so the job rejects a resume. */
  @Test
  void aDefectIsNeverResumed() throws IOException {
    put(earlier(DAY.minusDays(1)), DAY.minusDays(1));
    for (int exitCode : new int[] {3, 4}) {
      // The two reports differ only in the exit code and its consequences.
      TestReport report =
          TestReport.failed(exitCode, 3)
              .with("booksClose", true)
              .with("/resume/options", "--changed-since", "2026-11-20T00:25:00.123Z");
      s3.put(REPORT, report.toString());
      DayRun step = step();
      assertThat(step.plan().resumes()).as("exit code " + exitCode).isEqualTo(exitCode == 3);
      assertThat(step.job().command().contains("--resume")).isEqualTo(exitCode == 3);
      assertThat(step.job().command()).contains("--since-report");
    }
    assertThat(step().plan().whole()).isEqualTo("its run ended with exit code 4");
    s3.put(REPORT, TestReport.failed(4, 3).with("booksClose", false).toString());
    assertThat(step().plan().resumes()).isFalse();
  }

  /** The report of an earlier day, read from an older snapshot. */
  private static TestReport earlier(LocalDate day) {
    return TestReport.done()
        .day(day)
        .with(
            "/resume/snapshots",
            "--data-snapshot",
            CREATED.minus(Duration.ofDays(DAY.toEpochDay() - day.toEpochDay())).toString());
  }

  /** The same of a run that has searched for late data. */
  private static TestReport searched(LocalDate day) {
    return earlier(day).with("/resume/options", "--changed-since", "2026-11-19T00:25:00.123Z");
  }

  private void put(TestReport report, LocalDate day) {
    s3.put("reports/" + day + ".json", report.toString());
  }

  @Test
  void searchesForLateDataSinceTheDayBefore() throws IOException {
    put(earlier(DAY.minusDays(1)), DAY.minusDays(1));
    assertThat(step().job().command())
        .containsSequence("--since-report", "s3a://backup/reports/2026-11-19.json");
    assertThat(step().plan().lateData().note()).isEmpty();
    environment.put("LATE_DATA", "off");
    assertThat(step().job().command()).doesNotContain("--since-report", "--changed-since");
  }

  @Test
  void theFirstNightHasNothingToSearchFrom() throws IOException {
    assertThat(step().job().command()).doesNotContain("--since-report", "--changed-since");
    assertThat(step().plan().lateData().note())
        .isEqualTo("late data is not searched: none of the 31 days before has a report of success");
  }

  /** The job rejects --since-report then; changed rows must be found nevertheless. */
  @Test
  void aGapOrOtherOptionsLeaveTheTimeOfTheSnapshot() throws IOException {
    put(earlier(DAY.minusDays(2)), DAY.minusDays(2));
    assertThat(step().job().command())
        .containsSequence("--changed-since", "2026-11-19T00:25:00.123Z");
    assertThat(step().plan().lateData().note()).endsWith("days in between have no report");
    put(TestReport.failed(4, 0).day(DAY.minusDays(1)), DAY.minusDays(1));
    assertThat(step().job().command())
        .containsSequence("--changed-since", "2026-11-19T00:25:00.123Z");
    put(
        searched(DAY.minusDays(1)).with("/resume/options", "--interval", "1h,10m"),
        DAY.minusDays(1));
    assertThat(step().job().command())
        .containsSequence("--changed-since", "2026-11-20T00:25:00.123Z");
    assertThat(step().plan().lateData().note()).endsWith("--interval differs from that day's");
    environment.put("TOPIC", "rollups-2");
    put(searched(DAY.minusDays(1)), DAY.minusDays(1));
    assertThat(step().job().command())
        .containsSequence("--changed-since", "2026-11-20T00:25:00.123Z");
    assertThat(step().plan().lateData().note()).endsWith("--topic differs from that day's");
  }

  private void jobOptions(String... more) {
    String options = "\"--tsd-config\",\"/home/hadoop/opentsdb.conf\"";
    for (String option : more) {
      options += ",\"" + option + "\"";
    }
    environment.put("JOB_OPTIONS", "[" + options + "]");
  }

  private void requireSearchByReport() throws IOException {
    assertThat(step().job().command())
        .containsSequence("--since-report", "s3a://backup/reports/2026-11-19.json");
    assertThat(step().plan().lateData().note()).isEmpty();
  }

  private void requireSearchByTime(String differs) throws IOException {
    assertThat(step().job().command())
        .containsSequence("--changed-since", "2026-11-20T00:25:00.123Z")
        .doesNotContain("--since-report");
    assertThat(step().plan().lateData().note())
        .endsWith(": " + differs + " differs from that day's");
  }

  /** The job compares its own default with the report: the option is not set any more. */
  @ParameterizedTest
  @CsvSource({"--metrics, sys.*", "--interval, 10m", "--sink, json"})
  void anOptionThatWasRemovedDiffers(String option, String former) throws IOException {
    LocalDate before = DAY.minusDays(1);
    jobOptions();
    put(earlier(before).with("/resume/options", option, former), before);
    requireSearchByTime(option);
  }

  @Test
  void anOptionWithItsDefaultDoesNotDiffer() throws IOException {
    LocalDate before = DAY.minusDays(1);
    jobOptions();
    put(earlier(before), before);
    requireSearchByReport();
    jobOptions("--interval", "1h", "--sink=KAFKA");
    requireSearchByReport();
  }

  @Test
  void theReportOfAnotherTableLeavesTheTimeOfTheSnapshot() throws IOException {
    LocalDate before = DAY.minusDays(1);
    put(earlier(before).with("/input", "dataTable", "tsdb-old"), before);
    requireSearchByTime("the data table");
  }

  /** The job's report has the narrowest first. */
  @Test
  void theOrderOfIntervalsIsOfNoMatter() throws IOException {
    LocalDate before = DAY.minusDays(1);
    put(earlier(before).with("/resume/options", "--interval", "10m,1h,1d"), before);
    jobOptions("--interval", "1d,1h,10m");
    requireSearchByReport();
    jobOptions("--interval", "1h, 10m", "--interval=1d");
    requireSearchByReport();
    jobOptions("--interval", "1h,10m");
    requireSearchByTime("--interval");
    jobOptions("--interval", "1h,10m,1d,1m");
    requireSearchByTime("--interval");
  }

  @Test
  void metricsThatAreRepeatedAreJoinedInTheirOrder() throws IOException {
    LocalDate before = DAY.minusDays(1);
    put(earlier(before).with("/resume/options", "--metrics", "sys.*,!sys.cpu.idle"), before);
    jobOptions("--metrics", "sys.*", "--metrics=!sys.cpu.idle");
    requireSearchByReport();
    jobOptions("--metrics", "sys.*,!sys.cpu.idle");
    requireSearchByReport();
    jobOptions("--metrics", "!sys.cpu.idle", "--metrics", "sys.*");
    requireSearchByTime("--metrics");
    jobOptions("--metrics", "sys.*");
    requireSearchByTime("--metrics");
  }

  /** The job compares them with the report, whether an option or the TSD's file sets them. */
  @Test
  void aKeyOfTheTsdDiffers() throws IOException {
    LocalDate before = DAY.minusDays(1);
    put(earlier(before), before);
    jobOptions("--tsd.storage.salt.buckets", "20", "--tsd.storage.fix_duplicates=yes");
    requireSearchByReport();
    jobOptions("--tsd.storage.salt.buckets=5");
    requireSearchByTime("--tsd.storage.salt.buckets");
    requireWhole(TestReport.killed(3), "--tsd.storage.salt.buckets differs");
    jobOptions("--tsd.storage.hbase.uid_table", "uids");
    requireSearchByTime("--tsd.storage.hbase.uid_table");
  }

  @Test
  void aKeyInTheFileOfTheTsdDiffers() throws IOException {
    LocalDate before = DAY.minusDays(1);
    put(earlier(before), before);
    environment.put("TSD_CONFIG", "s3://backup/suite/opentsdb.conf");
    assertThatThrownBy(this::step)
        .isInstanceOf(IOException.class)
        .hasMessage("TSD_CONFIG s3://backup/suite/opentsdb.conf does not exist");
    s3.put("suite/opentsdb.conf", "tsd.storage.fix_duplicates = true\n");
    requireSearchByReport();
    s3.put("suite/opentsdb.conf", "tsd.storage.fix_duplicates = false\n");
    requireSearchByTime("--tsd.storage.fix_duplicates");
    requireWhole(TestReport.killed(3), "--tsd.storage.fix_duplicates differs");
    jobOptions("--tsd.storage.fix_duplicates=true");
    requireSearchByReport();
    s3.put("suite/opentsdb.conf", "tsd.storage.salt.width = 9\n");
    assertThatThrownBy(this::step)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("TSD_CONFIG s3://backup/suite/opentsdb.conf: ")
        .hasMessageContaining("tsd.storage.salt.width");
  }

  @Test
  void isNotResumedWithAnyBucketAdded() throws IOException {
    jobOptions("--any-bucket");
    requireWhole(TestReport.killed(3), "--any-bucket differs");
    s3.put(REPORT, TestReport.killed(3).with("/resume/options", "--any-bucket", "true").toString());
    assertThat(step().plan().resumes()).isTrue();
  }

  @Test
  void resumesWithTheSameOptionsHoweverTheyAreWritten() throws IOException {
    jobOptions("--metrics", "a,", "--interval", "1d,1h,", "--metrics=b", "--partition-size=512");
    s3.put(
        REPORT,
        TestReport.killed(3)
            .with("/resume/options", "--metrics", "a,b")
            .with("/resume/options", "--interval", "1h,1d")
            .with("/resume/options", "--partition-size", "512.0")
            .toString());
    assertThat(step().plan().resumes()).isTrue();
    jobOptions("--format", "ROLLUP", "--partition-by", "Series");
    s3.put(REPORT, TestReport.killed(3).toString());
    assertThat(step().plan().resumes()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "--metrics, sys.*",
    "--interval, 10m",
    "--format, aggregate",
    "--partition-by, metric",
    "--partitions-per-metric, 4",
    "--partition-size, 64.0",
    "--as-of, now",
    "--uid-source, hbase",
    "--any-bucket, true",
  })
  void isNotResumedWithoutAnOptionThatTheRunHad(String option, String former) throws IOException {
    jobOptions();
    requireWhole(TestReport.killed(3).with("/resume/options", option, former), option + " differs");
  }

  /** Days that are caught up are read from the same snapshots: the first of them finds all. */
  @Test
  void ofSeveralDaysTheFirstSearches() throws IOException {
    put(earlier(DAY.minusDays(3)), DAY.minusDays(3));
    List<DayRun> steps = steps(INPUT.replace("[", "[\"2026-11-18\",\"2026-11-19\","));
    assertThat(steps)
        .extracting(step -> step.plan().lateData().searches())
        .containsExactly(true, false, false);
    assertThat(steps.get(0).job().command()).contains("s3a://backup/reports/2026-11-17.json");
    // The second attempt, after the first day's success.
    put(TestReport.done().day(DAY.minusDays(2)), DAY.minusDays(2));
    steps = steps(INPUT.replace("[", "[\"2026-11-18\",\"2026-11-19\","));
    assertThat(steps)
        .extracting(step -> step.plan().lateData().searches())
        .containsExactly(false, false);
    // The night after, a day in the middle is still not done: both search, since what they cover
    // differs.
    put(earlier(DAY.minusDays(2)), DAY.minusDays(2));
    String anHourBefore = CREATED.minus(Duration.ofHours(1)).toString();
    put(earlier(DAY).with("/resume/snapshots", "--data-snapshot", anHourBefore), DAY);
    steps = steps(INPUT.replace("[\"2026-11-20", "[\"2026-11-19\",\"2026-11-21"));
    assertThat(steps)
        .extracting(run -> run.plan().day())
        .containsExactly(DAY.minusDays(1), DAY.plusDays(1));
    assertThat(steps)
        .extracting(step -> step.plan().lateData().searches())
        .containsExactly(true, true);
  }

  /** The job refuses it where nothing is searched. */
  @ParameterizedTest
  @ValueSource(strings = {"--allow-lost", "--allow-lost=true"})
  void onlyARunThatSearchesMayLose(String option) throws IOException {
    put(earlier(DAY.minusDays(2)), DAY.minusDays(2));
    jobOptions(option, "--interval", "1h");
    List<DayRun> steps = steps(INPUT.replace("[", "[\"2026-11-19\","));
    assertThat(steps.get(0).job().command()).contains("--since-report", option);
    assertThat(steps.get(1).job().command()).doesNotContain(option).endsWith("--interval", "1h");
  }

  @Test
  void aRunThatSearchesByItsOwnOptionMayLose() throws IOException {
    put(earlier(DAY.minusDays(2)), DAY.minusDays(2));
    environment.put("LATE_DATA", "off");
    jobOptions("--allow-lost", "--changed-since", "2026-11-20T00:00:00Z");
    assertThat(step().job().command()).contains("--allow-lost");
  }

  @Test
  void resumesWithTheSameSearchOnly() throws IOException {
    put(earlier(DAY.minusDays(1)), DAY.minusDays(1));
    requireWhole(TestReport.killed(3), "--changed-since differs");
    s3.put(
        REPORT,
        TestReport.killed(3)
            .with("/resume/options", "--changed-since", "2026-11-20T00:25:00.123Z")
            .toString());
    assertThat(step().plan().resumes()).isTrue();
  }

  private void requireWhole(TestReport report, String why) throws IOException {
    s3.put(REPORT, report.toString());
    assertThat(step().plan().resumes()).as(why).isFalse();
    assertThat(step().plan().whole()).isEqualTo(why);
  }

  @Test
  void waitsForAnOlderExecutionOfTheSameDay() throws IOException {
    executions.add("of-another-day", CREATED.minusSeconds(3), INPUT.replace("11-20", "11-19"));
    executions.add("younger", CREATED.plusMillis(1), INPUT);
    executions.add("of-no-day", CREATED.minusSeconds(2), "{}");
    assertThat(steps(INPUT)).hasSize(1);
    executions.add("older", CREATED.minusSeconds(1), INPUT);
    int lists = s3.lists();
    assertThatThrownBy(this::step)
        .isInstanceOf(DayIsRunning.class)
        .hasMessage("day 2026-11-20 is being run by execution older, which was started earlier");
    // Each attempt while the older one runs would otherwise list every HFile.
    assertThat(s3.lists()).isEqualTo(lists);
    // What is done meanwhile needs no waiting.
    s3.put(REPORT, TestReport.done().toString());
    assertThat(steps(INPUT)).isEmpty();
    s3.remove(REPORT);
    executions.end("older");
    assertThat(steps(INPUT)).hasSize(1);
  }

  @Test
  void ofTwoThatStartAtOnceOneWaits() throws IOException {
    executions.add("n", CREATED, INPUT);
    assertThat(steps(INPUT)).hasSize(1);
    executions.add("l", CREATED, INPUT);
    assertThatThrownBy(this::step).isInstanceOf(DayIsRunning.class);
  }

  @Test
  void aSnapshotThatIsGone() {
    s3.remove("hbase/.hbase-snapshot/tsdb-20261121/data.manifest");
    assertThatThrownBy(this::step)
        .isInstanceOf(SnapshotNotWhole.class)
        .hasMessageContaining("data.manifest does not exist");
  }

  /** The state machine repeats the look at a snapshot that is not whole, for 25 minutes. */
  @Test
  void aSnapshotOfWhichThereIsNothingIsNotWaitedFor() {
    s3.remove("hbase/.hbase-snapshot/tsdb-uid-20261121/data.manifest");
    s3.remove("hbase/.hbase-snapshot/tsdb-uid-20261121/.snapshotinfo");
    assertThatThrownBy(this::step)
        .isInstanceOf(SnapshotMissing.class)
        .hasMessageContaining("snapshot 'tsdb-uid-20261121' is not whole: s3://backup/hbase/");
  }

  static List<Arguments> badInputs() {
    return List.of(
        arguments("no", "the input must be JSON"),
        arguments(
            "{},\"execution\":\"x\"",
            "the input's execution must be the ARN of an execution, found: \"x\""),
        arguments("{}", "the input's v must be 1, found: "),
        arguments(INPUT.replace("s3://", "s3a://"), "the input's root must be s3://bucket"),
        arguments(
            INPUT.replace("\"2026-11-20\"", ""), "the input's days must have at least one day"),
        arguments(INPUT.replace("11-20", "11-31"), "the input's days must be days, yyyy-MM-dd"),
        arguments(
            INPUT.replace("\"dataSnapshot\"", "\"x\""), "the input's dataSnapshot must be a text"),
        arguments(
            INPUT.replace("}", ",\"notBefore\":\"now\"}"), "the input's notBefore must be a time"),
        arguments(INPUT.replace("backup/hbase", "other/hbase"), "the input's root must be ROOT"));
  }

  @ParameterizedTest
  @MethodSource("badInputs")
  void inputsThatBreakARule(String json, String rule) {
    assertThatThrownBy(() -> steps(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(rule);
  }
}
