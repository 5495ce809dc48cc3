package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The windows that a loaded run proves. */
class ProvenWindowsTest {
  private static final String FROM = "2025-11-19T00:00:00Z";
  private static final String TO = "2025-11-20T00:00:00Z";
  private static final Instant READ = Instant.parse("2025-11-20T01:00:00Z");

  /** A run with --as-of now has later cells. */
  private static final Instant STAMP = READ.plusSeconds(7200);

  private static Manifest manifest(RunProof proof, String from, String metrics) {
    Map<String, String> options = new HashMap<>(Map.of("--from", from, "--to", TO));
    options.put("--metrics", metrics);
    return new Manifest(
        1,
        "20251120T031500Z_0a1b2c",
        "rollup-job 1",
        "id",
        STAMP.toEpochMilli(),
        options,
        Map.of(),
        List.of(
            new Manifest.Table("ns:r-1h", "1h", "1d", Map.of(), List.of(""), List.of()),
            new Manifest.Table("r-1d", "1d", "1y", Map.of(), List.of(""), List.of())),
        proof);
  }

  private static List<CoverageWindow> windows(Manifest manifest) {
    return new ProvenWindows(
            manifest,
            SuiteConfig.NONE,
            "load-" + manifest.run(),
            "a report",
            table -> TableFacts.FOREVER)
        .windows();
  }

  private static RunProof proof(List<String> gaps) {
    return new RunProof(READ, gaps, List.of(), List.of());
  }

  @Test
  void eachIntervalHasTheWindowOfTheRun() {
    Manifest manifest = manifest(proof(List.of()), FROM, "");
    assertThat(ProvenWindows.obstacle(manifest, STAMP)).isEmpty();
    List<CoverageWindow> windows = windows(manifest);
    assertThat(windows).extracting(CoverageWindow::interval).containsExactly("1h", "1d");
    assertThat(windows).extracting(CoverageWindow::table).containsExactly("ns:r-1h", "r-1d");
    for (CoverageWindow window : windows) {
      assertThat(Instant.ofEpochSecond(window.from())).hasToString(FROM);
      assertThat(Instant.ofEpochSecond(window.to())).hasToString(TO);
      assertThat(window.asOf()).as("not that of the cells").isEqualTo(READ.toEpochMilli());
      assertThat(window.metrics()).isEqualTo("*");
      assertThat(window.writer()).isEqualTo("load-20251120T031500Z_0a1b2c");
      assertThat(window.isRefresh()).isFalse();
      assertThat(window.expires()).isEqualTo(CoverageWindow.NEVER);
    }
  }

  @Test
  void theMetricsAreThoseOfTheRun() {
    assertThat(windows(manifest(proof(List.of()), FROM, "web.*,!web.debug")))
        .extracting(CoverageWindow::metrics)
        .containsOnly("web.*,!web.debug");
  }

  @Test
  void aRunWithAGapProvesNothing() {
    Manifest gap = manifest(proof(List.of("1 rows failed")), FROM, "");
    assertThat(windows(gap)).isEmpty();
    assertThat(ProvenWindows.obstacle(gap, STAMP)).contains("1 rows failed");
    Manifest complete = manifest(proof(List.of()), FROM, "");
    assertThat(ProvenWindows.obstacle(complete, READ.plusSeconds(7 * 86400))).isEmpty();
    assertThat(ProvenWindows.obstacle(complete, READ.plusSeconds(7 * 86400 + 1)))
        .contains("at most 7 days old", "found 2025-11-20T01:00:00Z");
    Manifest old = manifest(null, FROM, "");
    assertThat(windows(old)).isEmpty();
    assertThat(ProvenWindows.obstacle(old, STAMP)).contains("does not tell whether rows failed");
  }

  @Test
  void aSearchForLateRowsIsARefreshOfTheTimeBefore() {
    Instant since = READ.minusSeconds(86400);
    Instant first = Instant.parse("2025-01-01T00:00:00Z");
    Instant from = Instant.parse(FROM);
    RunProof proof =
        new RunProof(READ, List.of(), List.of(), List.of(new RunProof.Refresh(first, from, since)));
    List<CoverageWindow> windows = windows(manifest(proof, FROM, ""));
    assertThat(windows).hasSize(4);
    CoverageWindow late = windows.get(1);
    assertThat(late.isRefresh()).isTrue();
    assertThat(late.since()).isEqualTo(since.toEpochMilli());
    assertThat(Instant.ofEpochSecond(late.from())).isEqualTo(first);
    assertThat(Instant.ofEpochSecond(late.to())).hasToString(FROM);
    assertThat(late.writer()).isNotEqualTo(windows.get(0).writer());
    // Only late rows: no window.
    RunProof.Refresh before = new RunProof.Refresh(first, Instant.parse(TO), since);
    RunProof only = new RunProof(READ, List.of(), List.of(), List.of(before));
    assertThat(windows(manifest(only, TO, "")))
        .hasSize(2)
        .allMatch(CoverageWindow::isRefresh)
        .allMatch(window -> Instant.ofEpochSecond(window.to()).toString().equals(TO));
  }

  private static List<String> above(String from, String metrics, RawFloors.Floor... floors) {
    RunProof.Refresh before =
        new RunProof.Refresh(
            Instant.parse("2025-11-01T00:00:00Z"), Instant.parse(from), READ.minusSeconds(86400));
    RunProof proof =
        new RunProof(READ, List.of(), List.of(), List.of(before))
            .above(new RawFloors(true, List.of(floors)), Instant.EPOCH);
    return windows(manifest(proof, from, metrics)).stream()
        .filter(window -> window.interval().equals("1d"))
        .map(
            window ->
                (window.isRefresh() ? "refresh " : "window ")
                    + Instant.ofEpochSecond(window.from()).toString().substring(0, 10)
                    + " "
                    + Instant.ofEpochSecond(window.to()).toString().substring(0, 10)
                    + " "
                    + window.metrics())
        .toList();
  }

  private static RawFloors.Floor floor(String day, String metrics) {
    return new RawFloors.Floor(metrics, Instant.parse(day + "T00:00:00Z").getEpochSecond());
  }

  @Test
  void nothingIsProvenBelowAFloor() {
    assertThat(above(FROM, "", floor("2025-11-10", "app.*"), floor("2025-11-05", "*")))
        .containsExactly("window 2025-11-19 2025-11-20 *", "refresh 2025-11-10 2025-11-19 *");
    assertThat(above("2025-11-12T00:00:00Z", "", floor("2025-11-15", "*")))
        .containsExactly("window 2025-11-15 2025-11-20 *");
    assertThat(above(FROM, "", floor("2025-11-25", "*"))).isEmpty();
    assertThat(above(FROM, "web.*", floor("2025-11-25", "app.*")))
        .containsExactly(
            "window 2025-11-19 2025-11-20 web.*", "refresh 2025-11-01 2025-11-19 web.*");
  }

  @Test
  void anEarlierSnapshotHasARefreshBesides() {
    Instant first = Instant.parse("2025-01-01T00:00:00Z");
    Instant from = Instant.parse(FROM);
    List<RunProof.Refresh> refreshes =
        List.of(
            new RunProof.Refresh(first, from, READ.minusSeconds(86400)),
            new RunProof.Refresh(first, from.minusSeconds(86400), READ.minusSeconds(2 * 86400)));
    List<CoverageWindow> windows =
        windows(manifest(new RunProof(READ, List.of(), List.of(), refreshes), FROM, ""));
    assertThat(windows).hasSize(6);
    for (int i = 0; i < refreshes.size(); i++) {
      CoverageWindow late = windows.get(1 + i);
      assertThat(late.since()).isEqualTo(refreshes.get(i).since().toEpochMilli());
      assertThat(Instant.ofEpochSecond(late.to())).isEqualTo(refreshes.get(i).to());
    }
    assertThat(windows.subList(0, 3)).extracting(CoverageWindow::writer).doesNotHaveDuplicates();
  }

  @Test
  void cellsExpireByTheirOwnTime() {
    List<CoverageWindow> windows =
        new ProvenWindows(
                manifest(proof(List.of()), FROM, ""),
                SuiteConfig.NONE,
                "load-a",
                "a report",
                table -> table.equals("r-1d") ? 1000 : TableFacts.FOREVER)
            .windows();
    assertThat(windows.get(0).expires()).isEqualTo(CoverageWindow.NEVER);
    assertThat(windows.get(1).expires()).isEqualTo(STAMP.toEpochMilli() + 1_000_000);
  }

  @Test
  void whatNoReaderTakesIsRefused() {
    assertThatThrownBy(() -> windows(manifest(proof(List.of()), FROM, "a,,b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a pattern must not be empty");
  }

  private static List<String> without(Map<String, TimeRanges> foreign) {
    return ProvenWindows.without(
            windows(manifest(proof(List.of()), FROM, "web.*")),
            window -> window.interval().equals("1h") ? foreign : Map.of())
        .stream()
        .map(
            window ->
                String.join(
                    " ",
                    window.interval(),
                    Instant.ofEpochSecond(window.from()).toString(),
                    Instant.ofEpochSecond(window.to()).toString(),
                    window.metrics()))
        .toList();
  }

  @Test
  void metricsWithOtherRollupsAreCutOut() {
    long from = Instant.parse(FROM).getEpochSecond();
    String day = "1d " + FROM + " " + TO + " web.*";
    TimeRanges third = TimeRanges.of((from + 7200) * 1000, (from + 10800) * 1000);
    assertThat(without(Map.of("web.a", third)))
        .containsExactly(
            "1h " + FROM + " " + TO + " web.*,!web.a",
            "1h " + FROM + " 2025-11-19T02:00:00Z web.a",
            "1h 2025-11-19T03:00:00Z " + TO + " web.a",
            day);
    TimeRanges first = TimeRanges.of(from * 1000, (from + 3600) * 1000);
    assertThat(without(Map.of("web.a", third, "web.b", first)))
        .containsExactly(
            "1h " + FROM + " " + TO + " web.*,!web.a,!web.b",
            "1h 2025-11-19T01:00:00Z 2025-11-19T02:00:00Z web.a,web.b",
            "1h 2025-11-19T03:00:00Z " + TO + " web.a,web.b",
            day);
    assertThat(without(Map.of("web.a,*", third)))
        .as("no pattern is this name alone")
        .containsExactly("1h " + FROM + " " + TO + " web.*,!web.a?*", day);
  }

  @Test
  void moreMetricsThanAWindowCanNameCostTheirHours() {
    long from = Instant.parse(FROM).getEpochSecond();
    TimeRanges third = TimeRanges.of((from + 7200) * 1000, (from + 10800) * 1000);
    Map<String, TimeRanges> many = new TreeMap<>();
    for (int i = 0; i < 120; i++) {
      many.put("web." + i, third);
    }
    TimeRanges whole = TimeRanges.of(from * 1000, Instant.parse(TO).getEpochSecond() * 1000);
    many.put("web.nan", whole);
    List<String> windows = without(many);
    assertThat(windows).hasSize(5);
    assertThat(windows.get(0))
        .startsWith("1h " + FROM + " 2025-11-19T02:00:00Z web.*,!web.nan,!web.0,!web.1,")
        .doesNotContain("web.99");
    assertThat(windows.get(0).split(",")).hasSize(100);
    assertThat(windows.get(1)).startsWith("1h 2025-11-19T03:00:00Z " + TO + " web.*,!web.nan");
    assertThat(windows.get(2)).startsWith("1h " + FROM + " 2025-11-19T02:00:00Z web.0,web.1,");
    many.replaceAll((metric, times) -> whole);
    assertThat(without(many)).as("of no hour").containsExactly("1d " + FROM + " " + TO + " web.*");
    assertThat(without(Map.of("web." + "x".repeat(4096), third)))
        .as("a name that no window has room for")
        .hasSize(3);
  }

  private static CoverageWindow earlier(String from, String to, Instant asOf) {
    return CoverageWindow.of(
        "1d",
        Instant.parse(from).getEpochSecond(),
        Instant.parse(to).getEpochSecond(),
        "load-earlier",
        "r-1d",
        asOf.toEpochMilli(),
        "*",
        "a report");
  }

  /** The same run without --as-of now. */
  private static Manifest asOfSnapshot(Manifest run) {
    return new Manifest(
        1,
        run.run(),
        run.version(),
        run.cluster(),
        READ.toEpochMilli(),
        run.options(),
        Map.of(),
        run.tables(),
        run.proof());
  }

  /** A run that has also rolled up changed rows before its window. */
  private static Manifest late(RunProof proof) {
    Manifest run = asOfSnapshot(manifest(proof, FROM, ""));
    run.options().put("--changed-since", FROM);
    return run;
  }

  /** Other names each night would be other selections. */
  @Test
  void aRefreshLeavesOutTimesAndNamesOnlyWhatIsOddThroughout() {
    long to = Instant.parse(TO).getEpochSecond();
    Instant first = Instant.ofEpochSecond(to - 86400);
    RunProof.Refresh refresh = new RunProof.Refresh(first, Instant.parse(TO), READ);
    RunProof proof = new RunProof(READ, List.of(), List.of(), List.of(refresh));
    TimeRanges hour = TimeRanges.of((to - 7200) * 1000, (to - 3600) * 1000);
    TimeRanges all = TimeRanges.of((to - 86400) * 1000, to * 1000);
    List<CoverageWindow> refreshes =
        ProvenWindows.without(
            windows(manifest(proof, TO, "")).subList(0, 1),
            window -> Map.of("odd", all, "repaired", hour, "too", hour));
    assertThat(refreshes).hasSize(2).allMatch(CoverageWindow::isRefresh);
    assertThat(refreshes).extracting(CoverageWindow::metrics).containsOnly("*,!odd");
    assertThat(refreshes.get(0).to()).isEqualTo(to - 7200);
    assertThat(refreshes.get(1).from()).isEqualTo(to - 3600);
  }

  private static boolean spoils(Manifest run, CoverageWindow window) {
    return !ProvenWindows.spoiled(run, window, STAMP).isEmpty();
  }

  @Test
  void aRunSpoilsItsTimesOfAWindowAlone() {
    long from = Instant.parse(FROM).getEpochSecond();
    CoverageWindow longer = earlier("2025-11-01T00:00:00Z", TO, READ.minusSeconds(1));
    Manifest gap = asOfSnapshot(manifest(proof(List.of("1 rows failed")), FROM, ""));
    assertThat(ProvenWindows.spoiled(gap, longer, STAMP))
        .isEqualTo(TimeRanges.of(from * 1000, Instant.parse(TO).toEpochMilli()));
  }

  @Test
  void cellsThatMayHideRepairsSpoilWindows() {
    CoverageWindow same = earlier(FROM, TO, READ.minusSeconds(1));
    Manifest run = manifest(proof(List.of()), FROM, "");
    assertThat(spoils(run, same)).isTrue();
    assertThat(spoils(run, earlier(FROM, TO, READ))).as("of its snapshot").isTrue();
    assertThat(spoils(asOfSnapshot(run), same)).isFalse();
  }

  @Test
  void aRunWithGapsSpoilsTheWindowsThatItOverlaps() {
    CoverageWindow same = earlier(FROM, TO, READ.minusSeconds(1));
    CoverageWindow before = earlier("2025-11-01T00:00:00Z", FROM, READ.minusSeconds(1));
    Manifest complete = asOfSnapshot(manifest(proof(List.of()), FROM, ""));
    assertThat(spoils(complete, same)).as("complete and newer").isFalse();
    Manifest gap = asOfSnapshot(manifest(proof(List.of("1 rows failed")), FROM, ""));
    assertThat(spoils(gap, same)).isTrue();
    assertThat(spoils(gap, before)).isFalse();
    assertThat(spoils(manifest(null, FROM, ""), same)).isTrue();
    CoverageWindow other =
        CoverageWindow.of("1d", same.from(), same.to(), "w", "other", same.asOf(), "*", "e");
    assertThat(spoils(gap, other)).isFalse();
    CoverageWindow web =
        CoverageWindow.of("1d", same.from(), same.to(), "w", "r-1d", same.asOf(), "web.*", "e");
    assertThat(spoils(gap, web)).isTrue();
    Manifest db = manifest(proof(List.of("1 rows failed")), FROM, "db.*");
    assertThat(spoils(db, web)).as("other metrics").isFalse();
  }

  @Test
  void aRunOverOlderDataSpoilsNewerWindows() {
    Manifest run = manifest(proof(List.of()), FROM, "");
    CoverageWindow newer = earlier(FROM, TO, READ.plusSeconds(1));
    assertThat(spoils(run, newer)).isTrue();
    long full = READ.toEpochMilli();
    assertThat(spoils(run, newer.full(full)))
        .as("its cells have a later timestamp (--as-of now)")
        .isTrue();
    CoverageWindow latest = earlier(FROM, TO, STAMP.plusSeconds(1));
    assertThat(spoils(run, latest.full(full)))
        .as("its cells hide those of rows that have not changed between two refreshes")
        .isTrue();
    Manifest old = asOfSnapshot(run);
    assertThat(spoils(old, latest.full(full))).as("the rollups of a refresh stay").isFalse();
    assertThat(spoils(old, latest.full(full + 1))).isTrue();
    CoverageWindow merged = earlier(FROM, TO, READ.minusSeconds(1));
    assertThat(spoils(old, merged)).isFalse();
    assertThat(ProvenWindows.spoiled(old, merged, READ.plus(Duration.ofDays(8))).isEmpty())
        .as("a part of it may have been rolled up later")
        .isFalse();
    CoverageWindow before = earlier("2025-11-01T00:00:00Z", FROM, READ.plusSeconds(1));
    assertThat(spoils(run, before)).isFalse();
    assertThat(spoils(late(proof(List.of())), before)).as("late rows").isTrue();
    Manifest lacks = late(proof(List.of(RunProof.SKIPS_FLUSH)));
    assertThat(spoils(lacks, earlier("2025-11-01T00:00:00Z", FROM, READ.minusSeconds(1))))
        .as("late rows may lack points")
        .isTrue();
    Manifest failed = late(proof(List.of("1 rows failed")));
    assertThat(spoils(failed, earlier("2025-11-01T00:00:00Z", FROM, READ.minusSeconds(1))))
        .as("stored rollups of failed rows stay")
        .isFalse();
  }
}
