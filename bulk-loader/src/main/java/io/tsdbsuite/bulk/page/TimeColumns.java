package io.tsdbsuite.bulk.page;

import io.tsdbsuite.bulk.report.PointsByTime;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Year;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Points by time for a plot: every day, month or year from the first to the last, those without
 * points too, in columns that are not too many for a page.
 *
 * @param unit day, month or year
 * @param columns points of each, ascending
 * @param gaps neighbouring days without points, or months if the report has months, {@code first to
 *     last} or one alone; also if the columns are wider
 */
record TimeColumns(String unit, Map<String, Long> columns, List<String> gaps) {
  private static final int MOST = 400;
  private static final String YEAR = "year";

  /**
   * Columns of a report.
   *
   * @throws IllegalArgumentException when a time is none of its unit
   */
  static TimeColumns of(String unit, Map<String, Long> points) {
    if (points.isEmpty()) {
      return new TimeColumns(unit, Map.of(), List.of());
    }
    try {
      if (!unit.equals(PointsByTime.DAY) && !unit.equals(PointsByTime.MONTH)) {
        throw new IllegalArgumentException("must have points by day or month, found by " + unit);
      }
      SortedMap<LocalDate, Long> sorted = sorted(points);
      List<String> gaps = gaps(unit, sorted);
      return unit.equals(PointsByTime.DAY) ? ofDays(sorted, gaps) : ofMonths(sorted, gaps);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("must have points by " + unit + ": " + e.getMessage(), e);
    }
  }

  private static SortedMap<LocalDate, Long> sorted(Map<String, Long> points) {
    SortedMap<LocalDate, Long> sorted = new TreeMap<>();
    points.forEach(
        (text, n) ->
            sorted.put(
                text.length() == "2026-11".length()
                    ? YearMonth.parse(text).atDay(1)
                    : LocalDate.parse(text),
                n));
    return sorted;
  }

  private static TimeColumns ofDays(SortedMap<LocalDate, Long> points, List<String> gaps) {
    LocalDate first = points.firstKey();
    long days = ChronoUnit.DAYS.between(first, points.lastKey()) + 1;
    if (days > MOST) {
      return ofMonths(points, gaps);
    }
    Map<String, Long> columns = new LinkedHashMap<>();
    for (long i = 0; i < days; i++) {
      LocalDate day = first.plusDays(i);
      columns.put(day.toString(), points.getOrDefault(day, 0L));
    }
    return new TimeColumns(PointsByTime.DAY, columns, gaps);
  }

  private static TimeColumns ofMonths(SortedMap<LocalDate, Long> points, List<String> gaps) {
    YearMonth first = YearMonth.from(points.firstKey());
    long months = ChronoUnit.MONTHS.between(first, YearMonth.from(points.lastKey())) + 1;
    Map<String, Long> columns = new LinkedHashMap<>();
    boolean byYear = months > MOST;
    for (long i = 0; i < months; i++) {
      columns.putIfAbsent(label(first.plusMonths(i), byYear), 0L);
    }
    points.forEach((day, n) -> columns.merge(label(YearMonth.from(day), byYear), n, Long::sum));
    return new TimeColumns(byYear ? YEAR : PointsByTime.MONTH, columns, gaps);
  }

  private static String label(YearMonth month, boolean byYear) {
    return byYear ? Year.from(month).toString() : month.toString();
  }

  /** First and last of neighbouring days or months without points. */
  private static List<String> gaps(String unit, SortedMap<LocalDate, Long> points) {
    boolean byDay = unit.equals(PointsByTime.DAY);
    List<String> gaps = new ArrayList<>();
    LocalDate expected = points.firstKey();
    for (LocalDate next : points.keySet()) {
      if (next.isAfter(expected)) {
        LocalDate last = byDay ? next.minusDays(1) : next.minusMonths(1);
        String from = name(expected, byDay);
        String to = name(last, byDay);
        gaps.add(from.equals(to) ? from : from + " to " + to);
      }
      expected = byDay ? next.plusDays(1) : next.plusMonths(1);
    }
    return List.copyOf(gaps);
  }

  private static String name(LocalDate date, boolean byDay) {
    return byDay ? date.toString() : YearMonth.from(date).toString();
  }
}
