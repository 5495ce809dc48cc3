package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The time and the series that a query asks for.
 *
 * @param text the name in tables: {@code 7 days}
 * @param from first second, since the epoch, a whole hour
 * @param to last second, exclusive, a whole hour
 * @param host the only series' tag {@code host}; empty for all series
 */
public record QuerySpan(String text, long from, long to, String host) {
  private static final int DAY = 86400;

  /** Whole days before a time, of all series. */
  public static QuerySpan ofDays(int days, long to) {
    return new QuerySpan(days == 1 ? "1 day" : days + " days", to - (long) days * DAY, to, "");
  }

  /** A day, a week, 30 days and all days before a time, as far as there are as many. */
  public static List<QuerySpan> upTo(int days, long to) {
    return IntStream.of(1, 7, 30, days)
        .filter(each -> each <= days)
        .distinct()
        .mapToObj(each -> ofDays(each, to))
        .toList();
  }

  /** The same time of one series, by its tag {@code host}; of all series if that is empty. */
  public QuerySpan ofHost(String only) {
    return new QuerySpan(only.isEmpty() ? text : text + ", " + only, from, to, only);
  }

  /** Its length, whole days. */
  public int days() {
    return (int) ((to - from) / DAY);
  }
}
