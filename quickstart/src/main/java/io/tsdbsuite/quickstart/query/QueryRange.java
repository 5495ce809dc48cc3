package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of whole days that ends with the data that bulk-loader has loaded.
 *
 * @param days its length, days, 1 or more
 */
public record QueryRange(int days) {
  private static final int DAY = 86400;
  private static final int WEEK_DAYS = 7;
  private static final int MONTH_DAYS = 30;

  /**
   * A day, a week, 30 days and all days, as far as there are as many.
   *
   * @param days all days
   */
  public static List<QueryRange> upTo(int days) {
    List<QueryRange> ranges = new ArrayList<>();
    for (int each : List.of(1, WEEK_DAYS, MONTH_DAYS)) {
      if (each < days) {
        ranges.add(new QueryRange(each));
      }
    }
    ranges.add(new QueryRange(days));
    return List.copyOf(ranges);
  }

  /** Its first second, since the epoch, if it ends at {@code to}. */
  public long from(long to) {
    return to - (long) days * DAY;
  }

  /** The name in tables: {@code 7 days}. */
  public String text() {
    return days == 1 ? "1 day" : days + " days";
  }
}
