package io.tsdbsuite.rollup.prune;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The nights to keep. The rule counts nights that exist and not days of the calendar, so it deletes
 * nothing while no new nights arrive.
 *
 * @param days number of newest nights
 * @param weeks number of newest weeks (Monday to Sunday) of which the last night is kept
 * @param months number of newest months of which the last night is kept
 */
public record KeepRule(int days, int weeks, int months) {
  /**
   * Chooses nights.
   *
   * @param nights dates of complete nights
   * @return the nights to keep, each with the parts of the rule that keep it: {@code day}, {@code
   *     week}, {@code month}
   */
  Map<LocalDate, Set<String>> keep(Collection<LocalDate> nights) {
    List<LocalDate> newest = nights.stream().sorted(Comparator.reverseOrder()).toList();
    Map<LocalDate, Set<String>> kept = new TreeMap<>();
    choose(newest, days, night -> night, "day", kept);
    choose(newest, weeks, KeepRule::week, "week", kept);
    choose(newest, months, YearMonth::from, "month", kept);
    return kept;
  }

  /**
   * Whether the rule would keep a night that does not count if it did: the complete nights that are
   * newer do not fill the rule.
   *
   * @param nights dates of complete nights
   */
  boolean wants(LocalDate night, Collection<LocalDate> nights) {
    Set<LocalDate> all = new HashSet<>(nights);
    all.add(night);
    return keep(all).containsKey(night);
  }

  /** Keeps the first, which is the last in time, of each of the first periods. */
  private static void choose(
      List<LocalDate> newest,
      int count,
      Function<LocalDate, Object> period,
      String reason,
      Map<LocalDate, Set<String>> kept) {
    Set<Object> periods = new HashSet<>();
    for (LocalDate night : newest) {
      if (periods.size() == count) {
        return;
      }
      if (periods.add(period.apply(night))) {
        kept.computeIfAbsent(night, any -> new TreeSet<>()).add(reason);
      }
    }
  }

  private static Object week(LocalDate night) {
    return List.of(
        night.get(IsoFields.WEEK_BASED_YEAR), night.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
  }

  @Override
  public String toString() {
    return days + " days, " + weeks + " weeks, " + months + " months";
  }
}
