package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.RunProof;
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
            manifest, "load-" + manifest.run(), "a report", table -> ProvenWindows.FOREVER)
        .windows();
  }

  private static RunProof proof(List<String> gaps) {
    return new RunProof(READ, gaps, List.of(), null);
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
    RunProof proof = new RunProof(READ, List.of(), List.of(), new RunProof.Refresh(first, since));
    List<CoverageWindow> windows = windows(manifest(proof, FROM, ""));
    assertThat(windows).hasSize(4);
    CoverageWindow late = windows.get(1);
    assertThat(late.isRefresh()).isTrue();
    assertThat(late.since()).isEqualTo(since.toEpochMilli());
    assertThat(Instant.ofEpochSecond(late.from())).isEqualTo(first);
    assertThat(Instant.ofEpochSecond(late.to())).hasToString(FROM);
    assertThat(late.writer()).isNotEqualTo(windows.get(0).writer());
    // Only late rows: no window.
    assertThat(windows(manifest(proof, TO, "")))
        .hasSize(2)
        .allMatch(CoverageWindow::isRefresh)
        .allMatch(window -> Instant.ofEpochSecond(window.to()).toString().equals(TO));
  }

  @Test
  void cellsExpireByTheirOwnTime() {
    List<CoverageWindow> windows =
        new ProvenWindows(
                manifest(proof(List.of()), FROM, ""),
                "load-a",
                "a report",
                table -> table.equals("r-1d") ? 1000 : ProvenWindows.FOREVER)
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

  private static List<String> without(Map<String, SeenRollups.Times> foreign) {
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
    SeenRollups.Times third = new SeenRollups.Times(from + 7200, from + 10800);
    assertThat(without(Map.of("web.a", third)))
        .containsExactly(
            "1h " + FROM + " " + TO + " web.*,!web.a",
            "1h " + FROM + " 2025-11-19T02:00:00Z web.a",
            "1h 2025-11-19T03:00:00Z " + TO + " web.a",
            day);
    SeenRollups.Times first = new SeenRollups.Times(from, from + 3600);
    assertThat(without(new TreeMap<>(Map.of("web.a", third, "web.b", first))))
        .containsExactly(
            "1h " + FROM + " " + TO + " web.*,!web.a,!web.b",
            "1h 2025-11-19T03:00:00Z " + TO + " web.a,web.b",
            day);
    assertThat(without(Map.of("web.a,*", third)))
        .as("no pattern is this name alone")
        .containsExactly("1h " + FROM + " " + TO + " web.*,!web.a?*", day);
    Map<String, SeenRollups.Times> many = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      many.put("web." + i, third);
    }
    assertThatThrownBy(() -> without(many))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of 100 metrics, more than a window can name, for example web.0");
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

  @Test
  void cellsThatMayHideRepairsSpoilWindows() {
    CoverageWindow same = earlier(FROM, TO, READ.minusSeconds(1));
    Manifest run = manifest(proof(List.of()), FROM, "");
    assertThat(ProvenWindows.spoils(run, same)).isTrue();
    assertThat(ProvenWindows.spoils(run, earlier(FROM, TO, READ))).as("of its snapshot").isTrue();
    assertThat(ProvenWindows.spoils(asOfSnapshot(run), same)).isFalse();
  }

  @Test
  void aRunWithGapsSpoilsTheWindowsThatItOverlaps() {
    CoverageWindow same = earlier(FROM, TO, READ.minusSeconds(1));
    CoverageWindow before = earlier("2025-11-01T00:00:00Z", FROM, READ.minusSeconds(1));
    Manifest complete = asOfSnapshot(manifest(proof(List.of()), FROM, ""));
    assertThat(ProvenWindows.spoils(complete, same)).as("complete and newer").isFalse();
    Manifest gap = asOfSnapshot(manifest(proof(List.of("1 rows failed")), FROM, ""));
    assertThat(ProvenWindows.spoils(gap, same)).isTrue();
    assertThat(ProvenWindows.spoils(gap, before)).isFalse();
    assertThat(ProvenWindows.spoils(gap, same.refreshing(0))).as("proves nothing alone").isFalse();
    assertThat(ProvenWindows.spoils(manifest(null, FROM, ""), same)).isTrue();
    CoverageWindow other =
        CoverageWindow.of("1d", same.from(), same.to(), "w", "other", same.asOf(), "*", "e");
    assertThat(ProvenWindows.spoils(gap, other)).isFalse();
    CoverageWindow web =
        CoverageWindow.of("1d", same.from(), same.to(), "w", "r-1d", same.asOf(), "web.*", "e");
    assertThat(ProvenWindows.spoils(gap, web)).isTrue();
    Manifest db = manifest(proof(List.of("1 rows failed")), FROM, "db.*");
    assertThat(ProvenWindows.spoils(db, web)).as("other metrics").isFalse();
  }

  @Test
  void aRunOverOlderDataSpoilsNewerWindows() {
    Manifest run = manifest(proof(List.of()), FROM, "");
    CoverageWindow newer = earlier(FROM, TO, READ.plusSeconds(1));
    assertThat(ProvenWindows.spoils(run, newer)).isTrue();
    assertThat(ProvenWindows.spoils(run, newer.refreshing(0)))
        .as("its cells have a later timestamp (--as-of now)")
        .isTrue();
    CoverageWindow latest = earlier(FROM, TO, STAMP.plusSeconds(1));
    assertThat(ProvenWindows.spoils(run, latest.refreshing(0))).isFalse();
    CoverageWindow before = earlier("2025-11-01T00:00:00Z", FROM, READ.plusSeconds(1));
    assertThat(ProvenWindows.spoils(run, before)).isFalse();
    Map<String, String> options = new HashMap<>(run.options());
    options.put("--changed-since", FROM);
    Manifest late =
        new Manifest(
            1,
            run.run(),
            run.version(),
            run.cluster(),
            run.stamp(),
            options,
            Map.of(),
            run.tables(),
            run.proof());
    assertThat(ProvenWindows.spoils(late, before)).as("late rows").isTrue();
  }
}
