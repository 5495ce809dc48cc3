package io.tsdbsuite.planner.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.planner.MemoryReports;
import io.tsdbsuite.planner.SampleReport;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lambda-trigger's tests do not cover: sinks other than Kafka, and UIDs from HBase. */
class RunPlannerTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final Night NIGHT =
      new Night(DAY.plusDays(1), "tsdb-20261121", "tsdb-uid-20261121");
  private static final SnapshotTimes TIMES =
      new SnapshotTimes(
          Instant.parse("2026-11-21T02:00:00Z"), Instant.parse("2026-11-21T02:01:00Z"), 1);

  private final MemoryReports reports = new MemoryReports();

  private final Map<LocalDate, Instant> refreshed = new HashMap<>();

  private boolean isRunAgain;

  private Optional<KafkaTarget> kafka = Optional.empty();
  private Optional<SuiteConfig> suite = Optional.empty();

  private HistogramCodecs codecs = HistogramCodecs.NONE;

  private void suite(String json) {
    suite =
        Optional.of(
            RollupConfig.parse(
                    """
                    {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4,"p99":5},"intervals":[
                    {"table":"tsdb","preAggregationTable":"h-1h","interval":"1m","rowSpan":"1h",
                     "defaultInterval":true},
                    {"table":"r-1h","preAggregationTable":"a-1h","interval":"1h","rowSpan":"1d"},
                    {"table":"r-1d","preAggregationTable":"a-1d","interval":"1d","rowSpan":"1n"}],
                    "suite":%s}
                    """
                        .formatted(json))
                .suite());
  }

  private PlannedRun plan(String... options) throws IOException {
    return plan(true, options);
  }

  private PlannedRun plan(boolean lateData, String... options) throws IOException {
    return plan(lateData, List.of(), options);
  }

  private PlannedRun plan(boolean lateData, List<LocalDate> before, String... options)
      throws IOException {
    RunSettings settings =
        new RunSettings(
            "hdfs://nn/hbase",
            "tsdb",
            "/opt/rollup-job-0.1.0-spark.jar",
            Optional.empty(),
            kafka,
            new CommandOptions(List.of(options)),
            Map.of(),
            lateData,
            suite,
            codecs);
    return new RunPlanner(
            settings,
            reports,
            day -> isRunAgain,
            (day, run) -> Optional.ofNullable(refreshed.get(day)))
        .plan(NIGHT, TIMES, DAY, before);
  }

  /** A limit of messages would let through 24 times as many rollups. */
  @Test
  void aMessageHasTheHoursOfADay() throws IOException {
    kafka = Optional.of(new KafkaTarget("b-1:9096", "rollups", ""));
    assertThat(plan("--format", "rollup").arguments())
        .containsSequence("--topic", "rollups", "--rollups-per-message", "24", "--report");
    assertThat(plan("--rollups-per-message=6").arguments())
        .contains("--rollups-per-message=6")
        .doesNotContain("--rollups-per-message");
    for (String[] options :
        new String[][] {
          {"--format", "AGGREGATE"},
          {"--format=aggregate"},
          {"--max-messages-per-second", "5"},
          {"--max-messages-per-second=5"}
        }) {
      assertThat(plan(options).arguments()).doesNotContain("--rollups-per-message");
    }
  }

  @Test
  void hfiles() throws IOException {
    assertThat(plan("--sink", "hfile", "--hfile-dir", "hdfs://nn/rollups").arguments())
        .containsExactly(
            "--snapshot-root",
            "hdfs://nn/hbase",
            "--data-snapshot",
            "tsdb-20261121",
            "--day",
            "2026-11-20",
            "--report",
            "hdfs://nn/reports/2026-11-20.json",
            "--sink",
            "hfile",
            "--hfile-dir",
            "hdfs://nn/rollups");
    assertThat(plan("--sink=hfile", "--metrics", "sys.*").arguments())
        .containsSequence("--uid-snapshot", "tsdb-uid-20261121");
    assertThat(plan("--uid-source", "hbase").arguments()).doesNotContain("--uid-snapshot");
  }

  /** The job refuses a run without the names that it needs, and one with names that it does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"values\":[{\"metrics\":\"*\",\"intervals\":\"1d\",\"aggregators\":\"p99\"}]}",
        "{\"histograms\":[{\"metrics\":\"*\",\"intervals\":\"1d\"}],"
            + "\"histogramTables\":{\"1d\":\"h-1h\"}}"
      })
  void hfilesOfASuiteNeedNames(String json) throws IOException {
    suite(json);
    assertThat(plan("--sink", "hfile", "--interval", "1h, 1d").arguments())
        .containsSequence("--uid-snapshot", "tsdb-uid-20261121");
    assertThat(plan("--sink", "hfile").arguments()).doesNotContain("--uid-snapshot");
    assertThat(plan("--sink", "hfile", "--interval", "1d", "--uid-source", "hbase").arguments())
        .doesNotContain("--uid-snapshot");
  }

  /** The job refuses to resume with another one, every night until the report is deleted. */
  @Test
  void aRunIsResumedWithTheSameSuiteOnly() throws IOException {
    SampleReport killed = SampleReport.done(DAY, TIMES.data(), TIMES.uid()).failed(3).finished(2);
    reports.put(DAY, killed);
    suite(
        "{\"histograms\":[{\"metrics\":\"*\",\"intervals\":\"1h\"}],"
            + "\"histogramTables\":{\"1h\":\"h-1h\"}}");
    assertThat(planOfTheSample("b-1:9096,b-2:9096").whole()).isEqualTo("suite differs");
    codecs = HistogramCodecs.load("{\"io.tsdbsuite.histogram.SketchCodec\":43}");
    reports.put(
        DAY,
        killed
            .option("suite", suite.orElseThrow().text())
            .option("tsd.core.histograms.config", "{io.tsdbsuite.histogram.SketchCodec=43}"));
    assertThat(planOfTheSample("b-1:9096,b-2:9096").resumes()).isTrue();
    codecs = HistogramCodecs.load("{\"io.tsdbsuite.histogram.SketchCodec\":44}");
    assertThat(planOfTheSample("b-1:9096,b-2:9096").whole())
        .isEqualTo("tsd.core.histograms.config differs");
    suite = Optional.of(SuiteConfig.NONE);
    assertThat(planOfTheSample("b-1:9096,b-2:9096").whole()).isEqualTo("suite differs");
    suite = Optional.empty();
    assertThat(planOfTheSample("b-1:9096,b-2:9096").resumes()).as("not known").isTrue();
  }

  /** The rollups of finished partitions were in Spark's shuffle, which has ended. */
  @Test
  void aRunThatWritesHFilesIsNotResumed() throws IOException {
    reports.put(
        DAY,
        SampleReport.done(DAY, TIMES.data(), TIMES.uid())
            .failed(3)
            .finished(2)
            .option("--sink", "hfile"));
    PlannedRun run = plan("--sink", "hfile", "--hfile-dir", "hdfs://nn/rollups");
    assertThat(run.resumes()).isFalse();
    assertThat(run.whole()).isEqualTo("only runs with the sink kafka can be resumed");
  }

  /** On S3 the job is rollup-job.jar. */
  @Test
  void aRunOfAnotherVersionIsNotResumed() throws IOException {
    reports.put(DAY, SampleReport.done(DAY, TIMES.data(), TIMES.uid()).failed(3).finished(2));
    String other = "it is of rollup-job 1.2.3, the jar is another version";
    assertThat(wholeWith("rollup-job.jar", "0.2.0")).isEqualTo(other);
    assertThat(wholeWith("rollup-job-0.2.0-spark.jar", "1.2.3")).isEqualTo(other);
    assertThat(wholeWith("rollup-job.jar", "1.2.3")).isEqualTo("--snapshot-root differs");
    assertThat(wholeWith("rollup-job-1.2.3.jar", "0.2.0")).isEqualTo("--snapshot-root differs");
  }

  private String wholeWith(String jar, String version) throws IOException {
    return planWithKafka("s3a://other/hbase", jar, version, "b1:9092").whole();
  }

  private PlannedRun planWithKafka(
      String root, String jar, String version, String bootstrap, String... options)
      throws IOException {
    RunSettings settings =
        new RunSettings(
            root,
            "tsdb",
            "s3://artifacts/suite/" + jar,
            Optional.of(version),
            Optional.of(new KafkaTarget(bootstrap, "rollups", "")),
            new CommandOptions(List.of(options)),
            Map.of(),
            true,
            suite,
            codecs);
    return new RunPlanner(settings, reports).plan(NIGHT, TIMES, DAY, List.of());
  }

  private PlannedRun planOfTheSample(String bootstrap, String... options) throws IOException {
    return planWithKafka("s3a://backup/hbase", "rollup-job.jar", "1.2.3", bootstrap, options);
  }

  /** The job's report has the brokers without spaces. */
  @Test
  void aRunIsResumedWithSpacesBetweenItsBrokers() throws IOException {
    reports.put(DAY, SampleReport.done(DAY, TIMES.data(), TIMES.uid()).failed(3).finished(2));
    assertThat(planOfTheSample("b-2:9096,b-1:9096").resumes()).isTrue();
    PlannedRun run = planOfTheSample(" b-2:9096 , b-1:9096");
    assertThat(run.whole()).isEmpty();
    assertThat(run.resumes()).isTrue();
  }

  @Test
  void theDaysBeforeWereOfAnotherSink() throws IOException {
    LocalDate before = DAY.minusDays(1);
    Instant data = Instant.parse("2026-11-20T02:00:00Z");
    reports.put(before, SampleReport.done(before, data, data.plusSeconds(60)));
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--changed-since", "2026-11-20T01:55:00Z");
  }

  /**
   * A replication that lags two hours: the job applies its margin to the times of reports alone.
   */
  @Test
  void theMarginOfTheJobCountsWithoutAReport() throws IOException {
    done(2, "2026-11-19T02:00:00Z", true);
    assertThat(plan("--changed-margin", "2h").arguments())
        .containsSequence("--changed-since", "2026-11-19T00:00:00Z");
    assertThat(plan("--changed-margin=0s").arguments())
        .containsSequence("--changed-since", "2026-11-19T02:00:00Z");
  }

  @Test
  void aRunIsResumedWithTheSameMarginOnly() throws IOException {
    done(1, "2026-11-20T02:00:00Z", true);
    reports.put(
        DAY,
        SampleReport.done(DAY, TIMES.data(), TIMES.uid())
            .failed(3)
            .finished(2)
            .option("--changed-since", "2026-11-20T00:00:00Z"));
    PlannedRun run = planOfTheSample("b-1:9096,b-2:9096", "--changed-margin", "2h");
    assertThat(run.arguments()).contains("--since-report");
    assertThat(run.resumes()).isTrue();
    assertThat(planOfTheSample("b-1:9096,b-2:9096").whole()).isEqualTo("--changed-since differs");
  }

  /** The job takes no report of another version for --since-report. */
  @Test
  void theDayBeforeHasAReportOfAnEarlierVersion() throws IOException {
    LocalDate before = DAY.minusDays(1);
    Instant data = Instant.parse("2026-11-20T02:00:00Z");
    SampleReport done =
        SampleReport.done(before, data, data.plusSeconds(60))
            .option("--sink", "hfile")
            .option("--topic", "");
    reports.put(before, done);
    assertThat(plan("--sink", "hfile").arguments()).contains("--since-report");
    reports.put(before, done.version(2));
    PlannedRun run = plan("--sink", "hfile");
    assertThat(run.arguments())
        .containsSequence("--changed-since", "2026-11-20T01:55:00Z")
        .doesNotContain("--since-report");
    assertThat(run.lateData().note()).endsWith("its report is of version 2");
  }

  private void done(int daysBefore, String snapshot, boolean searched) {
    LocalDate day = DAY.minusDays(daysBefore);
    Instant data = Instant.parse(snapshot);
    SampleReport report = SampleReport.done(day, data, data.plusSeconds(60));
    reports.put(day, searched ? report.option("--changed-since", "2026-11-01T00:00:00Z") : report);
  }

  /** One run has not searched: then the next searches since the run before that one. */
  @Test
  void aRunThatDidNotSearchIsNoBase() throws IOException {
    done(3, "2026-11-18T02:00:00Z", false);
    done(2, "2026-11-19T02:00:00Z", true);
    done(1, "2026-11-20T02:00:00Z", false);
    PlannedRun run = plan("--sink", "hfile");
    assertThat(run.arguments()).containsSequence("--changed-since", "2026-11-19T01:55:00Z");
    assertThat(run.lateData().note()).endsWith("runs in between have not searched");
  }

  /** Of several days from the same snapshots only the first searches. */
  @Test
  void theSnapshotWasSearchedByAnotherDay() throws IOException {
    done(3, "2026-11-18T02:00:00Z", true);
    done(2, "2026-11-20T02:00:00Z", true);
    done(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--changed-since", "2026-11-20T01:55:00Z");
  }

  @Test
  void theOldestIsTheBaseIfNoneHasSearched() throws IOException {
    done(2, "2026-11-19T02:00:00Z", false);
    done(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--changed-since", "2026-11-19T01:55:00Z");
  }

  /** It failed twice and runs before this day; the day after it has left late data to its run. */
  @Test
  void anOlderDayRunsFirst() throws IOException {
    done(3, "2026-11-18T02:00:00Z", true);
    done(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan(true, List.of(DAY.minusDays(2))).arguments())
        .containsSequence("--changed-since", "2026-11-20T01:55:00Z");
    assertThat(plan().arguments()).containsSequence("--changed-since", "2026-11-18T01:55:00Z");
  }

  private void searched(int daysBefore, String snapshot, boolean written) {
    LocalDate day = DAY.minusDays(daysBefore);
    Instant data = Instant.parse(snapshot);
    reports.put(
        day,
        SampleReport.done(day, data, data.plusSeconds(60))
            .option("--sink", "hfile")
            .option("--topic", "")
            .option("--changed-since", "2026-11-01T00:00:00Z"));
    if (written) {
      refreshed.put(day, data.plusSeconds(3600));
    }
  }

  private static String location(int daysBefore) {
    return "hdfs://nn/reports/" + DAY.minusDays(daysBefore) + ".json";
  }

  @Test
  void theRunBeforeHasRefreshedTheCoverage() throws IOException {
    searched(2, "2026-11-19T02:00:00Z", true);
    searched(1, "2026-11-20T02:00:00Z", true);
    PlannedRun run = plan("--sink", "hfile");
    assertThat(run.arguments())
        .containsSequence("--since-report", location(1))
        .doesNotContain("--refresh-report");
  }

  /** Row failures of two nights, and one in which a day of the past was rolled up again. */
  @Test
  void runsBeforeHaveNotRefreshedTheCoverage() throws IOException {
    searched(4, "2026-11-17T02:00:00Z", true);
    searched(3, "2026-11-18T02:00:00Z", true);
    searched(2, "2026-11-19T02:00:00Z", false);
    searched(1, "2026-11-20T02:00:00Z", false);
    PlannedRun run = plan("--sink", "hfile");
    assertThat(run.arguments())
        .containsSequence("--since-report", location(1), "--refresh-report", location(3));
    assertThat(run.lateData().refreshed()).contains(Instant.parse("2026-11-18T02:00:00Z"));
    searched(6, "2026-11-20T02:00:00Z", true);
    assertThat(plan("--sink", "hfile").arguments())
        .as("the other run of the night has refreshed the hours before its own day alone")
        .containsSequence("--refresh-report", location(3));
  }

  /** Its dead letters were replayed: the runs of the days after it have not refreshed it. */
  @Test
  void aDayWasAddedToTheCoverageAfterLaterDays() throws IOException {
    searched(4, "2026-11-17T02:00:00Z", true);
    searched(3, "2026-11-18T02:00:00Z", true);
    searched(2, "2026-11-19T02:00:00Z", true);
    searched(1, "2026-11-20T02:00:00Z", true);
    refreshed.put(DAY.minusDays(3), Instant.parse("2026-11-21T01:00:00Z"));
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--since-report", location(1), "--refresh-report", location(3));
    refreshed.put(DAY.minusDays(1), Instant.parse("2026-11-21T01:01:00Z"));
    assertThat(plan("--sink", "hfile").arguments()).doesNotContain("--refresh-report");
  }

  /** Of several days of one night the first searches for all. */
  @Test
  void theLastDayOfANightIsThatOfItsRefresh() throws IOException {
    searched(4, "2026-11-19T02:00:00Z", true);
    LocalDate caughtUp = DAY.minusDays(3);
    Instant night = Instant.parse("2026-11-19T02:00:00Z");
    reports.put(
        caughtUp,
        SampleReport.done(caughtUp, night, night.plusSeconds(60))
            .option("--sink", "hfile")
            .option("--topic", ""));
    searched(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--since-report", location(1), "--refresh-report", location(3));
  }

  /** Without a coverage, or when none has been written for long: no wider search. */
  @Test
  void noRunHasRefreshedTheCoverage() throws IOException {
    searched(8, "2026-11-13T02:00:00Z", true);
    for (int back = 7; back >= 1; back--) {
      searched(back, DAY.minusDays(back - 1) + "T02:00:00Z", false);
    }
    assertThat(plan("--sink", "hfile").arguments()).doesNotContain("--refresh-report");
  }

  /** The job takes a report of the same options alone, and would end the night. */
  @Test
  void theLastRefreshHasAReportThatTheJobDoesNotTake() throws IOException {
    searched(3, "2026-11-18T02:00:00Z", true);
    LocalDate other = DAY.minusDays(2);
    Instant data = Instant.parse("2026-11-19T02:00:00Z");
    reports.put(other, SampleReport.done(other, data, data.plusSeconds(60)).version(2));
    refreshed.put(other, data.plusSeconds(3600));
    searched(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--refresh-report", location(3));
  }

  private void badInput(int daysBefore, String snapshot) {
    isRunAgain = true;
    LocalDate day = DAY.minusDays(daysBefore);
    Instant data = Instant.parse(snapshot);
    reports.put(day, SampleReport.done(day, data, data.plusSeconds(60)).failed(1));
  }

  /** The day before was tried again from these snapshots; it searches when it succeeds. */
  @Test
  void theDayBeforeHasBadInput() throws IOException {
    done(2, "2026-11-19T02:00:00Z", true);
    badInput(1, "2026-11-21T02:00:00Z");
    PlannedRun run = plan("--sink", "hfile");
    assertThat(run.arguments()).doesNotContain("--changed-since", "--since-report");
    assertThat(run.lateData().note())
        .isEqualTo(
            "late data is searched by the run of 2026-11-19 when it succeeds: it ended with exit"
                + " code 1");
  }

  /** Its rows, which are many, are no late data of the next day. */
  @Test
  void theDayBeforeHasBadInputOfOlderSnapshots() throws IOException {
    done(2, "2026-11-19T02:00:00Z", true);
    badInput(1, "2026-11-20T02:00:00Z");
    PlannedRun run = plan();
    assertThat(run.arguments())
        .containsSequence("--changed-since", "2026-11-20T01:55:00Z")
        .doesNotContain("--since-report");
  }

  /** The days after it have left late data to its run. */
  @Test
  void aDayOfBadInputIsRunAgainWithoutASearch() throws IOException {
    done(1, "2026-11-19T02:00:00Z", true);
    badInput(0, "2026-11-20T02:00:00Z");
    assertThat(plan(false).lateData().note())
        .contains("since the last success before 2026-11-20 is not searched", "the next run");
    isRunAgain = false;
    assertThat(plan(false).lateData().note()).isEmpty();
  }

  /** The third day before had bad input, and the second left late data to its run. */
  @Test
  void aDayOfBadInputHasSucceededWithoutASearch() throws IOException {
    done(4, "2026-11-17T02:00:00Z", true);
    done(3, "2026-11-20T02:00:00Z", false);
    done(2, "2026-11-19T02:00:00Z", true);
    done(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan().arguments()).containsSequence("--changed-since", "2026-11-17T01:55:00Z");
  }

  /** It was missed, and was rolled up with another day, whose run searched for both. */
  @Test
  void aMissedDayWasRolledUpLaterWithASearch() throws IOException {
    done(4, "2026-11-17T02:00:00Z", true);
    done(3, "2026-11-20T02:00:00Z", false);
    done(2, "2026-11-20T02:00:00Z", true);
    done(1, "2026-11-19T02:00:00Z", true);
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--changed-since", "2026-11-19T01:55:00Z");
  }

  /** Then only this run finds late data of the days before that one. */
  @Test
  void theDayBeforeHasBadInputAndIsNotRunAgain() throws IOException {
    done(2, "2026-11-19T02:00:00Z", true);
    badInput(1, "2026-11-20T02:00:00Z");
    isRunAgain = false;
    assertThat(plan().arguments()).containsSequence("--changed-since", "2026-11-19T01:55:00Z");
  }

  /** A week of bad input in one day widens no night's search. */
  @Test
  void anOlderDayHasBadInput() throws IOException {
    done(3, "2026-11-18T02:00:00Z", true);
    badInput(2, "2026-11-21T02:00:00Z");
    done(1, "2026-11-20T02:00:00Z", false);
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--changed-since", "2026-11-20T01:55:00Z");
  }

  /** A run that ended with exit code 3 proves nothing about its input. */
  @Test
  void theDayBeforeFailedOutside() throws IOException {
    isRunAgain = true;
    done(2, "2026-11-19T02:00:00Z", true);
    LocalDate before = DAY.minusDays(1);
    Instant data = Instant.parse("2026-11-20T02:00:00Z");
    reports.put(before, SampleReport.done(before, data, data.plusSeconds(60)).failed(3));
    assertThat(plan("--sink", "hfile").arguments())
        .containsSequence("--changed-since", "2026-11-19T01:55:00Z");
  }
}
