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
    if (!unit.equals(PointsByTime.DAY) && !unit.equals(PointsByTime.MONTH)) {
      throw new IllegalArgumentException("must have points by day or month, found by " + unit);
    }
    SortedMap<LocalDate, Long> sorted = new TreeMap<>();
    try {
      points.forEach(
          (text, n) ->
              sorted.put(
                  text.length() == "2026-11".length()
                      ? YearMonth.parse(text).atDay(1)
                      : LocalDate.parse(text),
                  n));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("must have points by " + unit + ": " + e.getMessage(), e);
    }
    LocalDate first = sorted.firstKey();
    LocalDate last = sorted.lastKey();
    String shown = unit;
    if (unit.equals(PointsByTime.DAY) && ChronoUnit.DAYS.between(first, last) >= MOST) {
      shown = PointsByTime.MONTH;
    }
    if (shown.equals(PointsByTime.MONTH)
        && ChronoUnit.MONTHS.between(YearMonth.from(first), YearMonth.from(last)) >= MOST) {
      shown = YEAR;
    }
    Map<String, Long> columns = new LinkedHashMap<>();
    for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
      columns.putIfAbsent(name(day, shown), 0L);
    }
    for (Map.Entry<LocalDate, Long> each : sorted.entrySet()) {
      columns.merge(name(each.getKey(), shown), each.getValue(), Long::sum);
    }
    return new TimeColumns(shown, columns, gaps(unit, sorted));
  }

  private static String name(LocalDate date, String unit) {
    return switch (unit) {
      case PointsByTime.DAY -> date.toString();
      case PointsByTime.MONTH -> YearMonth.from(date).toString();
      default -> Year.from(date).toString();
    };
  }

  /** First and last of neighbouring days or months without points. */
  private static List<String> gaps(String unit, SortedMap<LocalDate, Long> points) {
    ChronoUnit width = unit.equals(PointsByTime.DAY) ? ChronoUnit.DAYS : ChronoUnit.MONTHS;
    List<String> gaps = new ArrayList<>();
    LocalDate expected = points.firstKey();
    for (LocalDate next : points.keySet()) {
      if (next.isAfter(expected)) {
        String from = name(expected, unit);
        String to = name(next.minus(1, width), unit);
        gaps.add(from.equals(to) ? from : from + " to " + to);
      }
      expected = next.plus(1, width);
    }
    return List.copyOf(gaps);
  }
}
