package io.tsdbsuite.job.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Windows and refreshes of many nights. */
class CoverageFoldTest {
  private static final long FROM = 1_700_006_400;
  private static final long DAY = 86_400;
  private static final String ALL = "*";

  /** Three hours after the end of a day, milliseconds. */
  private static long asOf(long day) {
    return (FROM + (day + 1) * DAY + 10_800) * 1000;
  }

  private static CoverageWindow window(long from, long to, long asOf, String metrics) {
    return CoverageWindow.of("1h", from, to, "w", "r", asOf, metrics, "a report");
  }

  private static CoverageWindow day(long day, String metrics) {
    return window(FROM + day * DAY, FROM + (day + 1) * DAY, asOf(day), metrics);
  }

  /** Of all time before a day, since the reading of the day before. */
  private static CoverageWindow refresh(long from, long day, String metrics) {
    return window(from, FROM + day * DAY, asOf(day), metrics)
        .part("late", from, FROM + day * DAY, metrics)
        .refreshing(asOf(day - 1));
  }

  private static List<CoverageWindow> add(List<CoverageWindow> table, CoverageWindow... windows) {
    CoverageFold fold = new CoverageFold(table, List.of());
    List<CoverageWindow> added = List.of(windows);
    fold.add(added, added.get(0).asOf());
    List<CoverageWindow> after = new ArrayList<>(table);
    List<CoverageWindow> gone = fold.gone();
    List<CoverageWindow> changed = fold.changed();
    Set<String> keys = changed.stream().map(CoverageFold::key).collect(Collectors.toSet());
    after.removeIf(old -> gone.contains(old) || keys.contains(CoverageFold.key(old)));
    after.addAll(changed);
    after.forEach(CoverageRows::columns);
    return after;
  }

  @Test
  void yearsOfNightsAreAFewWindows() {
    List<CoverageWindow> table = List.of();
    for (long night = 0; night < 400; night++) {
      table = add(table, day(night, ALL), refresh(0, night, ALL));
      assertThat(table).hasSizeLessThan(12 + (int) night / 28 + 1);
    }
    assertThat(table).allMatch(window -> window.asOf() == asOf(399));
    assertThat(table.stream().mapToLong(CoverageWindow::from).min()).hasValue(FROM);
    assertThat(table.stream().mapToLong(window -> window.to() - window.from()).sum())
        .isEqualTo(400 * DAY);
    assertThat(table.stream().mapToLong(CoverageWindow::fullAsOf).min()).hasValue(asOf(0));
  }

  /** Packed rows were not compared where changed rows were rolled up again. */
  @Test
  void noRefreshRaisesPackedRows() {
    CoverageWindow packed =
        CoverageWindow.of("1h.packed", FROM, FROM + DAY, "w", "p", asOf(0), ALL, "a report");
    CoverageWindow refresh =
        CoverageWindow.of("1h.packed", 0, FROM + DAY, "late", "p", asOf(1), ALL, "a report")
            .refreshing(asOf(0));
    List<CoverageWindow> table = add(List.of(packed), refresh);
    assertThat(table).containsExactly(packed);
  }

  @Test
  void aDayThatIsAddedAgainTakesNothingAway() {
    List<CoverageWindow> table = List.of();
    for (long night = 0; night < 40; night++) {
      table = add(table, day(night, ALL), refresh(0, night, ALL));
    }
    int before = table.size();
    table = add(table, day(39, ALL));
    assertThat(table).hasSize(before);
    // The first one of a merged window, whose full is of an earlier day.
    table = add(table, day(12, ALL), day(20, ALL));
    assertThat(table.stream().filter(window -> window.asOf() == asOf(39)))
        .extracting(window -> (window.to() - window.from()) / DAY)
        .satisfies(days -> assertThat(days.stream().mapToLong(each -> each).sum()).isEqualTo(40));
  }

  @Test
  void aSecondLookOfTheSameRunMayProveLess() {
    CoverageWindow day = day(0, ALL);
    CoverageWindow other = day.part("other", day.from(), day.to(), ALL);
    List<CoverageWindow> table = add(List.of(), day);
    table = add(table, day(1, ALL), refresh(0, 1, ALL));
    assertThat(add(table, day)).as("all that was proven").isEqualTo(table);
    CoverageWindow own = day.part("w.own", day.from(), day.from() + DAY / 2, "web");
    assertThat(add(table, day(0, "*,!web"), own))
        .extracting(window -> window.metrics() + " " + (window.to() - FROM))
        .containsExactlyInAnyOrder("*,!web " + DAY, "web " + DAY / 2, "* " + 2 * DAY);
    table = add(List.of(), other);
    assertThat(add(table, day(0, "*,!web"))).as("of another run").isEqualTo(table);
  }

  /** Rollups of each night expire a day later. */
  @Test
  void windowsThatExpireAreAFewOfEachMonth() {
    List<CoverageWindow> table = List.of();
    for (long night = 0; night < 300; night++) {
      CoverageWindow day = day(night, ALL);
      long ttl = 200 * DAY * 1000;
      table =
          add(
              table,
              day.expiring(day.asOf() + ttl),
              refresh(0, night, ALL).expiring(day.asOf() + ttl));
      assertThat(table).hasSizeLessThan(60);
    }
    long days = table.stream().mapToLong(window -> (window.to() - window.from()) / DAY).sum();
    assertThat(days).isBetween(190L, 201L);
    assertThat(table).allMatch(window -> window.expires() >= asOf(299));
  }

  /** Each night a day more may have expired in the data table. */
  @Test
  void rawDataThatExpireLeaveAWindowBehind() {
    List<CoverageWindow> table = List.of();
    for (long night = 0; night < 400; night++) {
      table = add(table, day(night, ALL), refresh(FROM + (night - 90) * DAY, night, ALL));
      assertThat(table).hasSizeLessThan(30 + 2 * (int) night / 28);
    }
    assertThat(table.stream().mapToLong(window -> window.to() - window.from()).sum())
        .isEqualTo(400 * DAY);
  }

  @Test
  void metricsThatAreLeftOutAreNotRaised() {
    List<CoverageWindow> table = add(List.of(day(0, ALL)), refresh(0, 1, "*,!m"));
    assertThat(table)
        .extracting(window -> window.metrics() + window.asOf())
        .containsExactlyInAnyOrder("m" + asOf(0), "*,!m" + asOf(1));
    table = add(table, day(1, ALL), refresh(0, 2, ALL));
    assertThat(table)
        .extracting(window -> window.metrics() + window.asOf())
        .containsExactlyInAnyOrder("m" + asOf(0), "*,!m" + asOf(2), "*" + asOf(2));
    table = add(List.of(day(0, "web.*")), refresh(0, 1, "*,!web.m,!db.m"));
    assertThat(table)
        .as("of no metric that it did not select")
        .extracting(window -> window.metrics() + window.asOf())
        .containsExactlyInAnyOrder("web.m" + asOf(0), "web.*,!db.m,!web.m" + asOf(1));
    table = add(List.of(day(0, ALL)), refresh(0, 1, "*,!m?"));
    assertThat(table)
        .as("a pattern has no row of its own")
        .extracting(window -> window.metrics() + window.asOf())
        .containsExactlyInAnyOrder("*" + asOf(0), "*,!m?" + asOf(1));
  }

  /**
   * The rows after nights of which some metrics are left out.
   *
   * @param odd names of a night
   */
  private static void requireFewRows(
      int nights, int rows, int selections, IntFunction<Set<String>> odd) {
    List<CoverageWindow> table = List.of();
    for (int night = 0; night < nights; night++) {
      String metrics =
          odd.apply(night).stream()
              .map(name -> ",!" + name)
              .collect(Collectors.joining("", ALL, ""));
      table = add(table, day(night, metrics), refresh(0, night, metrics));
    }
    assertThat(table).hasSizeLessThan(rows);
    assertThat(table.stream().map(CoverageWindow::metrics).distinct()).hasSizeLessThan(selections);
  }

  @Test
  void oddMetricsAreAFewRows() {
    Random random = Seed.random();
    for (int metrics : new int[] {10, 30}) {
      requireFewRows(
          120,
          800,
          100,
          night -> {
            Set<String> odd = new TreeSet<>();
            for (int i = random.nextInt(metrics / 10 + 2); i > 0; i--) {
              odd.add("m" + random.nextInt(metrics));
            }
            return odd;
          });
    }
    requireFewRows(120, 800, 300, night -> Set.of("new" + night));
  }

  @Test
  void aRefreshThatBeganLaterRaisesNothing() {
    CoverageWindow since = window(0, FROM + DAY, asOf(3), ALL).refreshing(asOf(0) + 1);
    assertThat(add(List.of(day(0, ALL)), since)).extracting("asOf").containsExactly(asOf(0));
    assertThat(add(List.of(day(0, ALL)), since.refreshing(asOf(0))))
        .extracting("asOf")
        .containsExactly(asOf(3));
    CoverageWindow other =
        CoverageWindow.of("1h", FROM, FROM + DAY, "w", "other", asOf(0), ALL, "a report");
    assertThat(add(List.of(other), since.refreshing(0))).extracting("asOf").contains(asOf(0));
    CoverageWindow days =
        CoverageWindow.of("1d", FROM, FROM + DAY, "w", "r", asOf(0), ALL, "a report");
    assertThat(add(List.of(days), since.refreshing(0))).extracting("asOf").contains(asOf(0));
  }

  /** After a change of suite. */
  @Test
  void aRefreshRaisesTheMetricsOfALevelThatItShares() {
    String two = "*.latency,db.*";
    assertThat(refreshed("1h.p99", "*.latency", two)).containsExactly("*.latency 1");
    assertThat(refreshed("1h.p99", two, "*.latency"))
        .containsExactlyInAnyOrder(two + " 0", "*.latency 1");
    assertThat(refreshed("1h.p99", "a.x,b.y", "*.x"))
        .containsExactlyInAnyOrder("a.x,b.y 0", "a.x 1");
    assertThat(refreshed("1h.p99", "*.latency,!m.latency", two))
        .containsExactly("*.latency,!m.latency 1");
    assertThat(refreshed("1h.p99", "*.latency", two + ",!m.latency"))
        .containsExactlyInAnyOrder("*.latency,!m.latency 1", "m.latency 0");
    assertThat(refreshed("1h.p99", "a", "b")).containsExactly("a 0");
    assertThat(refreshed("1h", "*.latency", two)).as("of runs").containsExactly("*.latency 0");
  }

  /** Metrics of the windows of a day after a refresh on the next, and the day as of which. */
  private static List<String> refreshed(String level, String metrics, String ofRefresh) {
    CoverageWindow old =
        CoverageWindow.of(level, FROM, FROM + DAY, "w", "r", asOf(0), metrics, "a report");
    CoverageWindow refresh =
        CoverageWindow.of(level, FROM, FROM + DAY, "late", "r", asOf(1), ofRefresh, "a report")
            .refreshing(asOf(0));
    return add(List.of(old), refresh).stream()
        .map(window -> window.metrics() + (window.asOf() == asOf(1) ? " 1" : " 0"))
        .toList();
  }

  @Test
  void selectionsThatHaveMetricsInCommon() {
    assertThat(CoverageFold.both("*", "*,!a")).isEqualTo("*,!a");
    assertThat(CoverageFold.both("a,b", "*,!a")).isEqualTo("a,b,!a");
    assertThat(CoverageFold.both("*,!b", "*,!a")).isEqualTo("*,!a,!b");
    assertThat(CoverageFold.both("web.*,!b", "web.*")).isEqualTo("web.*,!b");
    assertThat(CoverageFold.both("!b", "web.*")).isEqualTo("web.*,!b");
    assertThat(CoverageFold.both("web.*", "web.a")).as("not known").isNull();
  }

  /** As of when rollups of a metric are proven, without refreshes: those of the same table. */
  private static long asOf(
      List<CoverageWindow> windows, String metric, long from, long width, boolean full) {
    return windows.stream()
        .filter(window -> window.from() <= from && window.to() >= from + width)
        .filter(window -> MetricPatterns.of(List.of(window.metrics().split(","))).wants(metric))
        .mapToLong(window -> full ? window.fullAsOf() : window.asOf())
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /** Whatever is added: what a fold claims, a table with all rows and refreshes claims, too. */
  @Test
  void nothingIsClaimedThatWasNotProven() {
    Random random = Seed.random();
    String[] selections = {"*", "m", "*,!m", "n,m", "*,!n"};
    for (int n = 0; n < 1000; n++) {
      List<CoverageWindow> table = List.of();
      List<CoverageWindow> history = new ArrayList<>();
      for (int i = random.nextInt(12) + 2; i > 0; i--) {
        long from = FROM + random.nextInt(8) * (DAY / 2);
        long to = from + (1 + random.nextInt(6)) * (DAY / 2);
        long asOf = asOf(12 + random.nextInt(12));
        String metrics = selections[random.nextInt(selections.length)];
        CoverageWindow window =
            CoverageWindow.of("1d", from, to, "w" + i, "r", asOf, metrics, "a report");
        if (random.nextBoolean()) {
          window = window.refreshing(asOf - random.nextInt(12) * DAY * 1000);
        }
        history.add(window);
        table = add(table, window);
      }
      for (String metric : new String[] {"m", "n", "o"}) {
        for (long from = FROM - FROM % DAY; from < FROM + 8 * DAY; from += DAY) {
          long proven = Long.MIN_VALUE;
          long full = Long.MIN_VALUE;
          for (int pass = 0; pass < history.size(); pass++) {
            for (CoverageWindow each : history) {
              boolean counts =
                  each.from() <= from
                      && each.to() >= from + DAY
                      && MetricPatterns.of(List.of(each.metrics().split(","))).wants(metric);
              if (counts && !each.isRefresh()) {
                proven = Math.max(proven, each.asOf());
                full = Math.max(full, each.asOf());
              } else if (counts && proven >= each.since()) {
                proven = Math.max(proven, each.asOf());
              }
            }
          }
          String of = Seed.describe(n) + history + " as " + table + " of " + metric + " " + from;
          assertThat(asOf(table, metric, from, DAY, false)).as(of).isLessThanOrEqualTo(proven);
          assertThat(asOf(table, metric, from, DAY, true)).as(of).isLessThanOrEqualTo(full);
          assertThat(asOf(table, metric, from, DAY, false) == Long.MIN_VALUE)
              .as(of)
              .isEqualTo(proven == Long.MIN_VALUE);
        }
      }
    }
  }
}
