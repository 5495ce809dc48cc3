package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Windows of further aggregators: those that a run proves, and those that it outdates. */
class LevelWindowsTest {
  private static final long FROM = Instant.parse("2025-11-19T00:00:00Z").getEpochSecond();
  private static final long TO = FROM + 86400;
  private static final Instant READ = Instant.parse("2025-11-20T01:00:00Z");

  private static Manifest manifest(String metrics, RunProof proof, boolean changed) {
    Map<String, String> options = new HashMap<>();
    options.put("--from", Instant.ofEpochSecond(FROM).toString());
    options.put("--to", Instant.ofEpochSecond(TO).toString());
    options.put("--metrics", metrics);
    if (changed) {
      options.put("--changed-since", Instant.ofEpochSecond(FROM).toString());
    }
    return new Manifest(
        2,
        "run",
        "rollup-job 1",
        "id",
        READ.toEpochMilli(),
        options,
        Map.of(),
        List.of(
            new Manifest.Table("r-1h", "1h", "1d", Map.of(), List.of(""), List.of()),
            new Manifest.Table("r-1d", "1d", "1y", Map.of(), List.of(""), List.of())),
        proof);
  }

  private static RunProof proof(RunProof.Refresh... refreshes) {
    return new RunProof(READ, List.of(), List.of(), List.of(refreshes));
  }

  private static ProvenWindows proven(String metrics, RunProof proof, String... entries) {
    return new ProvenWindows(
        manifest(metrics, proof, false),
        LoadCheckTest.config(entries).suite(),
        "load-run",
        "e",
        table -> table.equals("r-1d") ? 1000 : TableFacts.FOREVER);
  }

  private static List<String> windows(String metrics, String... entries) {
    return proven(metrics, proof(), entries).windows().stream()
        .map(window -> window.interval() + " " + window.metrics())
        .toList();
  }

  @Test
  void eachAggregatorOfTheSuiteHasAWindow() {
    assertThat(windows("", LoadCheckTest.entry("*.latency,!tmp.*", "1h,1d", "p99,first")))
        .containsExactly(
            "1h *",
            "1h.p99 *.latency,!tmp.*",
            "1h.first *.latency,!tmp.*",
            "1d *",
            "1d.p99 *.latency,!tmp.*",
            "1d.first *.latency,!tmp.*");
    assertThat(windows("")).containsExactly("1h *", "1d *");
  }

  @Test
  void theFirstEntryThatMatchesCounts() {
    String first = LoadCheckTest.entry("web.*", "1h", "p99");
    assertThat(windows("", first, LoadCheckTest.entry("*.latency", "1h", "first")))
        .containsExactly("1h *", "1h.p99 web.*", "1h.first *.latency,!web.*", "1d *");
    assertThat(windows("app.*", first, LoadCheckTest.entry("*", "1d", "first")))
        .as("no metric of the run has p99")
        .containsExactly("1h app.*", "1d app.*", "1d.first app.*");
  }

  @Test
  void metricsThatNoWindowCanNameHaveNone() {
    ProvenWindows proven =
        proven(
            "",
            proof(),
            LoadCheckTest.entry("web.*,!web.a*", "1h", "p99"),
            LoadCheckTest.entry("*", "1h", "first"));
    assertThat(proven.windows())
        .extracting(CoverageWindow::interval)
        .containsExactly("1h", "1h.p99", "1d");
    assertThat(proven.unnamed()).containsExactly("1h.first");
  }

  @Test
  void refreshesAndExpiryAreThoseOfTheInterval() {
    Instant from = Instant.ofEpochSecond(FROM);
    RunProof.Refresh refresh = new RunProof.Refresh(from.minusSeconds(86400), from, READ);
    List<CoverageWindow> windows =
        proven("", proof(refresh), LoadCheckTest.entry("*.latency", "1h,1d", "p99")).windows();
    assertThat(windows)
        .extracting(CoverageWindow::interval)
        .containsExactly("1h", "1h", "1h.p99", "1h.p99", "1d", "1d", "1d.p99", "1d.p99");
    for (int i = 0; i < windows.size(); i += 4) {
      for (int j = 0; j < 2; j++) {
        CoverageWindow four = windows.get(i + j);
        CoverageWindow p99 = windows.get(i + j + 2);
        assertThat(p99.table()).isEqualTo(four.table());
        assertThat(p99.from()).isEqualTo(four.from());
        assertThat(p99.to()).isEqualTo(four.to());
        assertThat(p99.since()).isEqualTo(four.since());
        assertThat(p99.expires()).isEqualTo(four.expires());
        assertThat(p99.writer()).isEqualTo(four.writer());
      }
    }
  }

  private static CoverageWindow earlier(String level, String metrics) {
    String table = "r-" + level.substring(0, 2);
    return CoverageWindow.of(
        level,
        FROM - 10 * 86400,
        TO,
        "w",
        table,
        READ.minusSeconds(1).toEpochMilli(),
        metrics,
        "e");
  }

  private static TimeRanges outdated(String metrics, CoverageWindow window, String... entries) {
    return ProvenWindows.outdated(
        manifest(metrics, proof(), false), LoadCheckTest.config(entries).suite(), window);
  }

  private static final TimeRanges OF_RUN = TimeRanges.of(FROM * 1000, TO * 1000);

  @Test
  void aRunWithTheAggregatorOutdatesNothing() {
    String latency = LoadCheckTest.entry("*.latency,!tmp.*", "1h", "p99");
    CoverageWindow window = earlier("1h.p99", "*.latency,!tmp.*");
    assertThat(outdated("", window, latency).isEmpty()).isTrue();
    assertThat(outdated("", earlier("1h.p99", "*.latency,!tmp.*,!a.latency"), latency).isEmpty())
        .as("a metric is left out")
        .isTrue();
    assertThat(outdated("", earlier("1h.p99", "a.latency,b.latency"), latency).isEmpty()).isTrue();
    assertThat(outdated("", window, latency, LoadCheckTest.entry("*", "1h", "first")).isEmpty())
        .as("an entry more")
        .isTrue();
    assertThat(outdated("web.load", window).isEmpty()).as("other metrics").isTrue();
    assertThat(outdated("", earlier("1h", "*")).isEmpty()).as("the four values").isTrue();
  }

  /** Each prefix and suffix have two patterns in common. */
  @Test
  void theMetricsOfBothNeedNotBeSaid() {
    String prefixes = "a.*,b.*,c.*,d.*,e.*,f.*,g.*,h.*";
    String suffixes = "*.s,*.t,*.u,*.v,*.w,*.x,*.y";
    CoverageWindow window = earlier("1h.p99", suffixes);
    assertThat(outdated(prefixes, window, LoadCheckTest.entry(suffixes, "1h", "p99")).isEmpty())
        .isTrue();
    assertThat(outdated(prefixes, window, LoadCheckTest.entry("*.s", "1h", "p99")))
        .isEqualTo(OF_RUN);
  }

  @Test
  void aRunWithoutTheAggregatorOutdatesItsTimes() {
    String latency = LoadCheckTest.entry("*.latency", "1h", "p99");
    CoverageWindow window = earlier("1h.p99", "*.latency");
    assertThat(outdated("", window)).as("no suite").isEqualTo(OF_RUN);
    assertThat(outdated("", window, LoadCheckTest.entry("*.latency", "1h", "first")))
        .isEqualTo(OF_RUN);
    assertThat(outdated("", window, LoadCheckTest.entry("*.latency", "1d", "p99")))
        .isEqualTo(OF_RUN);
    assertThat(outdated("", window, LoadCheckTest.entry("web.*", "1h", "p99"))).isEqualTo(OF_RUN);
    assertThat(outdated("", window, LoadCheckTest.entry("web.*", "1h", "first"), latency))
        .as("an earlier entry counts")
        .isEqualTo(OF_RUN);
    assertThat(outdated("app.*", window)).as("some metrics").isEqualTo(OF_RUN);
    assertThat(outdated("", earlier("1h.p50", "*"), latency))
        .as("of no id any more")
        .isEqualTo(OF_RUN);
    assertThat(outdated("", window.full(READ.toEpochMilli())))
        .as("of the same snapshot")
        .isEqualTo(OF_RUN);
    assertThat(outdated("", window.full(READ.toEpochMilli() + 1)).isEmpty())
        .as("its cells are newer")
        .isTrue();
    CoverageWindow other = CoverageWindow.of("1h.p99", FROM, TO, "w", "other", 1, "*.latency", "e");
    assertThat(outdated("", other).isEmpty()).as("another table").isTrue();
  }

  @Test
  void changedRowsOutdateFromTheFirstOn() {
    CoverageWindow window = earlier("1h.p99", "*.latency");
    SuiteConfig none = SuiteConfig.NONE;
    Manifest unknown = manifest("", proof(), true);
    assertThat(ProvenWindows.outdated(unknown, none, window))
        .isEqualTo(TimeRanges.of((FROM - 10 * 86400) * 1000, TO * 1000));
    RunProof known =
        new RunProof(
            READ,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Instant.ofEpochSecond(FROM - 2 * 86400));
    assertThat(ProvenWindows.outdated(manifest("", known, true), none, window))
        .isEqualTo(TimeRanges.of((FROM - 2 * 86400) * 1000, TO * 1000));
  }

  private static String kept(String metrics, String... entries) {
    return ProvenWindows.kept(LoadCheckTest.config(entries).suite(), earlier("1h.p99", metrics));
  }

  @Test
  void metricsThatHaveTheAggregatorKeepTheirTimes() {
    assertThat(kept("*.latency,!web.a.latency", LoadCheckTest.entry("web.*", "1h", "p99")))
        .isEqualTo("web.latency,web.*.latency,!web.a.latency");
    assertThat(kept("a,b,c", LoadCheckTest.entry("b,c", "1h", "p99"))).isEqualTo("b,c");
    assertThat(kept("a,b", LoadCheckTest.entry("c", "1h", "p99"))).isNull();
    assertThat(kept("a,b")).isNull();
    assertThat(kept("b,c", LoadCheckTest.entry("b,c", "1h", "p99"))).as("all of it").isNull();
  }

  /** A run with histograms of 1h. */
  private static Manifest withHistograms(RunProof proof) {
    Manifest manifest = manifest("", proof, false);
    List<Manifest.Table> tables = new ArrayList<>(manifest.tables());
    tables.add(
        1, new Manifest.Table("h-1h", "1h.histogram", "1h", Map.of(), List.of(""), List.of()));
    return new Manifest(
        3,
        manifest.run(),
        manifest.version(),
        manifest.cluster(),
        manifest.stamp(),
        manifest.options(),
        Map.of(),
        tables,
        proof);
  }

  private static ProvenWindows histograms(RunProof proof, SuiteConfig suite) {
    return new ProvenWindows(
        withHistograms(proof), suite, "load-run", "e", table -> TableFacts.FOREVER);
  }

  @Test
  void histogramsHaveAWindowOfTheirTable() {
    SuiteConfig suite =
        LoadCheckTest.histograms("*.latency", LoadCheckTest.entry("web.*", "1h", "p99")).suite();
    Instant from = Instant.ofEpochSecond(FROM);
    RunProof refreshed = proof(new RunProof.Refresh(from.minusSeconds(86400), from, READ));
    assertThat(histograms(refreshed, suite).windows())
        .extracting(CoverageWindow::interval, CoverageWindow::table, CoverageWindow::metrics)
        .containsExactly(
            tuple("1h", "r-1h", "*"),
            tuple("1h", "r-1h", "*"),
            tuple("1h.p99", "r-1h", "web.*"),
            tuple("1h.p99", "r-1h", "web.*"),
            tuple("1h.histogram", "h-1h", "*.latency"),
            tuple("1h.histogram", "h-1h", "*.latency"),
            tuple("1d", "r-1d", "*"),
            tuple("1d", "r-1d", "*"));
    assertThat(histograms(proof(), SuiteConfig.NONE).windows())
        .as("a coverage table without levels")
        .extracting(CoverageWindow::interval)
        .containsExactly("1h", "1d");
  }

  @Test
  void moreOddHistogramsThanAreNamedCostTheLevelAlone() {
    List<RunProof.OddMetric> odd =
        IntStream.range(0, 51).mapToObj(uid -> new RunProof.OddMetric(uid, FROM, TO)).toList();
    SuiteConfig suite = LoadCheckTest.histograms("*").suite();
    for (int size : new int[] {50, 51}) {
      RunProof proof =
          new RunProof(
              READ, List.of(), List.of(), odd.subList(0, size), List.of(), List.of(), null);
      ProvenWindows proven = histograms(proof, suite);
      assertThat(proven.hidesHistograms()).isEqualTo(size > 50);
      assertThat(proven.windows())
          .extracting(CoverageWindow::interval)
          .isEqualTo(size > 50 ? List.of("1h", "1d") : List.of("1h", "1h.histogram", "1d"));
      assertThat(histograms(proof, SuiteConfig.NONE).hidesHistograms()).isFalse();
    }
  }

  /** A run with packed rows of 1h. */
  private static Manifest withPacked(RunProof proof, String table) {
    Manifest manifest = manifest("", proof, false);
    List<Manifest.Table> tables = new ArrayList<>(manifest.tables());
    tables.add(1, new Manifest.Table(table, "1h.packed", "1d", Map.of(), List.of(""), List.of()));
    return new Manifest(
        4,
        manifest.run(),
        manifest.version(),
        manifest.cluster(),
        manifest.stamp(),
        manifest.options(),
        Map.of(),
        tables,
        proof);
  }

  /** Late hours are read from plain rows. */
  @Test
  void packedRowsHaveAWindowAndNoRefresh() {
    Instant from = Instant.ofEpochSecond(FROM);
    RunProof refreshed = proof(new RunProof.Refresh(from.minusSeconds(86400), from, READ));
    ProvenWindows proven =
        new ProvenWindows(
            withPacked(refreshed, "x-1h"),
            LoadCheckTest.config(LoadCheckTest.entry("*", "1h", "p99")).suite(),
            "load-run",
            "e",
            table -> TableFacts.FOREVER);
    assertThat(proven.windows())
        .extracting(CoverageWindow::interval, CoverageWindow::table, CoverageWindow::isRefresh)
        .containsExactly(
            tuple("1h", "r-1h", false),
            tuple("1h", "r-1h", true),
            tuple("1h.p99", "r-1h", false),
            tuple("1h.p99", "r-1h", true),
            tuple("1h.packed", "x-1h", false),
            tuple("1d", "r-1d", false),
            tuple("1d", "r-1d", true));
    assertThat(proven.unnamed()).isEmpty();
  }

  @Test
  void aRunWithoutPackedRowsOutdatesThem() {
    long before = READ.minusSeconds(1).toEpochMilli();
    CoverageWindow window =
        CoverageWindow.of("1h.packed", FROM - 10 * 86400, TO, "w", "x-1h", before, "*", "e");
    SuiteConfig none = SuiteConfig.NONE;
    assertThat(outdated("", window)).isEqualTo(OF_RUN);
    assertThat(outdated("a.*", window)).as("some metrics").isEqualTo(OF_RUN);
    assertThat(ProvenWindows.kept(none, window)).isNull();
    assertThat(ProvenWindows.outdated(withPacked(proof(), "x-1h"), none, window).isEmpty())
        .isTrue();
    assertThat(ProvenWindows.outdated(withPacked(proof(), "other"), none, window))
        .as("another table")
        .isEqualTo(OF_RUN);
    CoverageWindow days = CoverageWindow.of("1m.packed", FROM, TO, "w", "x-1m", before, "*", "e");
    assertThat(outdated("", days).isEmpty()).as("another interval").isTrue();
  }

  private static CoverageWindow earlierHistogram(String metrics) {
    return CoverageWindow.of(
        "1h.histogram",
        FROM - 10 * 86400,
        TO,
        "w",
        "h-1h",
        READ.minusSeconds(1).toEpochMilli(),
        metrics,
        "e");
  }

  /** They lie in another table than the rollups beside which they would be wrong. */
  @Test
  void aRunWithoutHistogramsOutdatesThem() {
    CoverageWindow window = earlierHistogram("*.latency");
    assertThat(outdated("", window)).as("no suite").isEqualTo(OF_RUN);
    assertThat(outdated("", window, LoadCheckTest.entry("*", "1h", "p99"))).isEqualTo(OF_RUN);
    SuiteConfig suite = LoadCheckTest.histograms("*.latency").suite();
    assertThat(ProvenWindows.outdated(withHistograms(proof()), suite, window).isEmpty()).isTrue();
    assertThat(ProvenWindows.outdated(withHistograms(proof()), suite, earlierHistogram("*")))
        .isEqualTo(OF_RUN);
    assertThat(ProvenWindows.kept(suite, earlierHistogram("*"))).isEqualTo("*.latency");
    Manifest days =
        new Manifest(
            2,
            "run",
            "rollup-job 1",
            "id",
            READ.toEpochMilli(),
            manifest("", proof(), false).options(),
            Map.of(),
            List.of(new Manifest.Table("r-1d", "1d", "1y", Map.of(), List.of(""), List.of())),
            proof());
    assertThat(ProvenWindows.outdated(days, SuiteConfig.NONE, window).isEmpty())
        .as("another interval")
        .isTrue();
  }
}
