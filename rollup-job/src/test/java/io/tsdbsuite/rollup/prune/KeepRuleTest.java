package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeepRuleTest {
  private static List<LocalDate> days(String first, int count) {
    List<LocalDate> days = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      days.add(LocalDate.parse(first).plusDays(i));
    }
    Collections.shuffle(days, Seed.random());
    return days;
  }

  private static Map<LocalDate, Set<String>> keep(List<LocalDate> nights, int... rule) {
    return new KeepRule(rule[0], rule[1], rule[2]).keep(nights);
  }

  private static LocalDate day(String text) {
    return LocalDate.parse(text);
  }

  @Test
  void theNewestNights() {
    assertThat(keep(days("2026-11-01", 20), 3, 0, 0))
        .containsOnlyKeys(day("2026-11-18"), day("2026-11-19"), day("2026-11-20"));
    assertThat(keep(days("2026-11-01", 2), 3, 0, 0)).hasSize(2);
  }

  /** Weeks end on Sunday; the first days of January can be of the last week of December. */
  @Test
  void theLastNightOfEachWeek() {
    assertThat(keep(days("2026-12-20", 20), 0, 3, 0))
        .containsOnlyKeys(day("2027-01-08"), day("2027-01-03"), day("2026-12-27"));
  }

  @Test
  void theLastNightOfEachMonthThatHasOne() {
    List<LocalDate> nights = days("2026-01-30", 10);
    nights.add(day("2025-06-03"));
    nights.add(day("2025-06-07"));
    assertThat(keep(nights, 0, 0, 3))
        .containsOnlyKeys(day("2026-02-08"), day("2026-01-31"), day("2025-06-07"));
  }

  @Test
  void reasons() {
    assertThat(keep(days("2026-11-01", 20), 1, 2, 1))
        .containsOnly(
            Map.entry(day("2026-11-20"), Set.of("day", "week", "month")),
            Map.entry(day("2026-11-15"), Set.of("week")));
  }

  @Test
  void anIncompleteNightIsWantedUntilNewerOnesFillTheRule() {
    LocalDate night = day("2026-11-04");
    assertThat(new KeepRule(3, 0, 0).wants(night, days("2026-11-05", 2))).isTrue();
    assertThat(new KeepRule(3, 0, 0).wants(night, days("2026-11-05", 3))).isFalse();
    // A newer night of the same week stands for it; the week before has none.
    assertThat(new KeepRule(0, 2, 0).wants(night, List.of(day("2026-11-08")))).isFalse();
    assertThat(new KeepRule(0, 2, 0).wants(night, List.of(day("2026-11-09")))).isTrue();
    assertThat(new KeepRule(1, 0, 12).wants(night, List.of(day("2026-12-01")))).isTrue();
  }

  /** A night that was kept yesterday and is not today never comes back. */
  @Test
  void aNightThatIsNotKeptIsNeverWantedLater() {
    List<LocalDate> nights = new ArrayList<>();
    Set<LocalDate> gone = new HashSet<>();
    for (int i = 0; i < 400; i++) {
      LocalDate tonight = day("2025-11-21").plusDays(i);
      nights.add(tonight);
      Set<LocalDate> kept = keep(days("2025-11-21", i + 1), 5, 4, 6).keySet();
      assertThat(Collections.disjoint(kept, gone)).isTrue();
      nights.stream().filter(night -> !kept.contains(night)).forEach(gone::add);
      // The rule over the remaining nights chooses the same.
      nights.retainAll(kept);
      assertThat(keep(nights, 5, 4, 6).keySet()).isEqualTo(kept);
    }
    assertThat(nights).hasSizeBetween(10, 15);
  }
}
