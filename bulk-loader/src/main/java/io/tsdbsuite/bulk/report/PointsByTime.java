package io.tsdbsuite.bulk.report;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Accepted points by day, or by month when there are too many days for a report.
 *
 * @param unit {@code day} or {@code month}
 * @param points by the text of a day ({@code 2026-11-23}) or a month ({@code 2026-11}), UTC,
 *     ascending; those without points are not there
 */
public record PointsByTime(String unit, SortedMap<String, Long> points) {
  /** By day. */
  public static final String DAY = "day";

  /** By month. */
  public static final String MONTH = "month";

  /** Days that a report lists at most. Months cannot be more than 1,634. */
  public static final int MOST_DAYS = 4000;

  /**
   * By day, if they are not too many, else by month.
   *
   * @param days points by day since the epoch, UTC
   */
  public static PointsByTime of(SortedMap<Integer, Long> days) {
    boolean byDay = days.size() <= MOST_DAYS;
    TreeMap<String, Long> sums = new TreeMap<>();
    for (Map.Entry<Integer, Long> entry : days.entrySet()) {
      LocalDate day = LocalDate.ofEpochDay(entry.getKey());
      String text = byDay ? day.toString() : YearMonth.from(day).toString();
      sums.merge(text, entry.getValue(), Long::sum);
    }
    return new PointsByTime(byDay ? DAY : MONTH, sums);
  }
}
