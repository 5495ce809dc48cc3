package io.tsdbsuite.rollup.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares reports with files, byte by byte. */
class RollupReportTest {
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 1, "min": 2, "max": 3, "p99": 4, "first": 5},
           "intervals": [
            {"table": "t", "preAggregationTable": "p", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "1h", "rowSpan": "1d"},
            {"table": "t2", "preAggregationTable": "p2", "interval": "2h", "rowSpan": "1n"}],
           "suite": {"values": [
            {"metrics": "m*", "intervals": "1h,2h", "aggregators": "first,p99"}]}}
          """);

  private static final Instant FROM = Instant.parse("2026-11-19T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-20T00:00:00Z");
  private static final RollupPlan PLAN =
      new RollupPlan(
          12, 11, 2010, 2009, 1_000_008, 1_000_007, 1_006, List.of(TestReports.partition(0)));

  private static void compare(String found, String name) throws IOException {
    assertThat(found).isEqualTo(Files.readString(Path.of("src/test/resources/reports", name)));
  }

  private static final Set<Count> OF_HISTOGRAMS =
      Set.of(Count.HISTOGRAMS_TOO_WIDE, Count.HISTOGRAMS_MIXED);

  /** Every count without histograms in rollups has another value, so the books do not close. */
  private static Books books() {
    Books books = new Books();
    long next = 1001;
    for (Count count : Count.values()) {
      if (!OF_HISTOGRAMS.contains(count)) {
        books.counts().add(count, next++);
      }
    }
    for (SkipReason reason : SkipReason.values()) {
      books.skipped().add(reason, next++);
    }
    for (FailReason reason : FailReason.values()) {
      if (reason != FailReason.UNKNOWN_CODEC) {
        books.failed().add(reason, next++);
      }
    }
    books.rollups("1h", 401);
    books.rollups("1d", 402);
    books.vanished(0, List.of("row 1", "row 2", "row 3", "row 4", "row 5", "row 6"));
    books.samples(
        Map.of(
            FailReason.UNRESOLVED_UID,
            List.of("a row", "a \"second\" row"),
            FailReason.FAILED_DAY,
            List.of("a day")));
    books.oddMetric(new RunProof.OddMetric(7, 3600, 7200));
    return books;
  }

  private static Map<String, String> texts(String... keysAndValues) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      texts.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return texts;
  }

  private static FinishedPartitions finished() {
    FinishedPartitions finished = new FinishedPartitions();
    finished.add(TestReports.partition(0), TestReports.books(0));
    finished.add(TestReports.partition(2), TestReports.books(2));
    return finished;
  }

  private static EarlierRuns earlier() {
    return new EarlierRuns("before.json", 2, FROM, 17, books());
  }

  private static RollupReport full(@Nullable ExitCode exit, String message) {
    return new RollupReport(
        exit,
        message,
        TestReports.STARTED,
        TestReports.STARTED.plusMillis(61_500),
        texts("snapshotRoot", "file:///backup", "dataSnapshotTime", "2026-11-20T01:00:00Z"),
        texts("topic", "rollups", "partitions", "all"),
        "1h,1d",
        FROM,
        TO,
        new HoldBack(10_800, TestReports.STARTED, true, true),
        PLAN,
        books(),
        4,
        Map.of("aggregate", 12.25),
        List.of("a warning", "another one"),
        new RunIdentity(
            "rollup-job 1.0",
            new TreeMap<>(Map.of("--topic", "rollups", "--from", "a")),
            texts("--data-snapshot", "2026-11-20T01:00:00Z"),
            texts("Kafka cluster", "abc"),
            "fingerprint"),
        finished(),
        earlier(),
        null,
        List.of());
  }

  private static RollupReport done() {
    return new RollupReport(
        ExitCode.DONE,
        "",
        TestReports.STARTED,
        TestReports.STARTED.plusSeconds(60),
        texts("snapshotRoot", "file:///backup"),
        Map.of(),
        "1h",
        FROM,
        TO,
        HoldBack.none(),
        TestReports.plan(1),
        TestReports.books(1),
        1,
        phases("plan", 1.04, "aggregate", 58.0),
        List.of(),
        TestReports.identity(),
        finished(),
        null,
        new RunProof(
            TO,
            List.of("a gap"),
            List.of(new RunProof.OddMetric(7, 3600, 7200)),
            List.of(new RunProof.Refresh(FROM, TO, TestReports.STARTED))),
        List.of("f1", "f2"));
  }

  private static Map<String, Double> phases(String one, double first, String two, double second) {
    Map<String, Double> phases = new LinkedHashMap<>();
    phases.put(one, first);
    phases.put(two, second);
    return phases;
  }

  @Test
  void jsonOfARunThatRuns() throws IOException {
    compare(TestReports.json(full(null, "")), "rollup-running.json");
  }

  @Test
  void aRunThatCanBeResumed() throws IOException {
    RollupReport report = full(ExitCode.OUTSIDE, "Kafka is away");
    compare(TestReports.json(report), "rollup-failed.json");
    compare(ReportSections.of(report).table().toString(), "rollup-failed.txt");
  }

  @Test
  void aRunThatIsDone() throws IOException {
    compare(TestReports.json(done()), "rollup-done.json");
    compare(ReportSections.of(done()).table().toString(), "rollup-done.txt");
  }

  @Test
  void aRunThatHasNoPlanYet() throws IOException {
    RollupReport report =
        TestReports.report(ExitCode.BAD_INPUT, null, TestReports.identity(), null, null);
    compare(TestReports.json(report), "rollup-early.json");
    compare(ReportSections.of(report).table().toString(), "rollup-early.txt");
  }

  @Test
  void aPlan() throws IOException {
    String table =
        ReportSections.plan(
            PLAN,
            HoldBack.none(),
            List.of(new DelaySla("1h", 10_800, Duration.ofHours(2))),
            5,
            100,
            intervals("1h,2h"));
    table += ReportSections.plan(PLAN, HoldBack.none(), List.of(), 1, 1, intervals("1h"));
    compare(table, "rollup-plan.txt");
  }

  /** A lower bound: how many metrics have further aggregators is not known. */
  @Test
  void aPlanWithFurtherAggregators() throws IOException {
    RollupIntervals some =
        new RollupIntervals(intervals("1h,2h").all(), CONFIG.suite(), HistogramCodecs.NONE);
    compare(
        ReportSections.plan(PLAN, HoldBack.none(), List.of(), 4, 1, some), "rollup-plan-suite.txt");
  }

  /** A report of rollups without histograms has none of these fields. */
  @Test
  void histogramsAreReported() throws IOException {
    Books books = TestReports.books(1);
    books.furtherRollups("1h.histogram", 2);
    String even = "\"histograms\" : {\n    \"tooWide\" : 0,\n    \"mixed\" : 0\n  }";
    assertThat(ReportSections.of(report(books)).jsonText())
        .contains("\"1h.histogram\" : 2", even)
        .doesNotContain("histogramsAlone", "unknownCodec");
    books.histogramsAlone("1h", 1);
    books.lateHistogramsAlone("1h", 1);
    books.oddHistograms(3, 4);
    books.rowFailed(FailReason.UNKNOWN_CODEC, 0, "row x");
    Report report = ReportSections.of(report(books));
    assertThat(report.jsonText())
        .contains(
            "\"histogramsAlone\" : {\n    \"1h\" : 1\n  }",
            "\"lateHistogramsAlone\" : {\n    \"1h\" : 1\n  }",
            even.replace("Wide\" : 0", "Wide\" : 3").replace("mixed\" : 0", "mixed\" : 4"),
            "\"unknownCodec\" : 1");
    assertThat(report.table().toString())
        .contains(
            "with 1h.histogram",
            "without histogram, too wide",
            "histograms beside points",
            "unknown histogram codec");
    assertThat(BooksJson.read(BooksJson.counts(books.copy())).lateHistogramsAlone())
        .containsOnly(Map.entry("1h", 1L));
    assertThat(TestReports.json(report(TestReports.books(1))))
        .doesNotContain("histogramsAlone", "lateHistogramsAlone", "unknownCodec", "tooWide");
  }

  private static RollupReport report(Books books) {
    return new RollupReport(
        ExitCode.DONE,
        "",
        TestReports.STARTED,
        TestReports.STARTED,
        Map.of(),
        Map.of(),
        "1h",
        FROM,
        TO,
        HoldBack.none(),
        PLAN,
        books,
        1,
        Map.of(),
        List.of(),
        TestReports.identity(),
        null,
        null,
        null,
        List.of());
  }

  private static RollupIntervals intervals(String intervals) {
    return new RollupIntervals(Stream.of(intervals.split(",", -1)).map(CONFIG::interval).toList());
  }
}
