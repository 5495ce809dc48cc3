package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.Buckets;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import java.util.stream.LongStream;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.utils.DateTime;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that OpenTSDB's Downsampler makes.
 *
 * <ul>
 *   <li>{@code 0all}: one bucket, from the start to the end of the query in milliseconds.
 *   <li>An interval without calendar: the multiples of the interval since the epoch.
 *   <li>A calendar: the Downsampler goes from {@code DateTime.previousInterval} of the first point
 *       of a series in steps of the interval. So its buckets depend on the first point, if a chain
 *       from an earlier time does not meet the one that begins here: weeks by twos, months by
 *       fives, six hours over a change of the clock. Such buckets are not the same for all series.
 * </ul>
 */
public final class OutputBuckets {
  /** A chart has some thousand points; computing calendar days costs about a microsecond each. */
  private static final int MAX_CALENDAR_BUCKETS = 100_000;

  private OutputBuckets() {}

  /**
   * The buckets in a range.
   *
   * @param queryStart of the query, milliseconds
   * @param queryEnd of the query, milliseconds
   * @param from first time that is read, milliseconds
   * @param to end of the times that are read, milliseconds
   * @return null if the series may have different buckets, or there are too many
   */
  public static @Nullable Buckets of(
      DownsamplingSpecification spec, long queryStart, long queryEnd, long from, long to) {
    String interval = spec.getStringInterval();
    // In this order the Downsampler decides, too.
    if (interval != null && interval.toLowerCase(Locale.ROOT).contains("all")) {
      return Buckets.between(queryStart, queryEnd);
    }
    if (interval != null && spec.useCalendar()) {
      // No loop for what it would refuse: no bucket is much longer than getInterval says.
      return (to - from) / spec.getInterval() > MAX_CALENDAR_BUCKETS
          ? null
          : calendar(interval, spec.getTimezone(), from, to);
    }
    return Buckets.every(spec.getInterval());
  }

  /**
   * The bucket of {@code 0all}, with the times that are read before and after it as buckets of
   * their own. Their values are dropped, but show which series there are, as raw data would.
   */
  static Buckets all(QueryTimes times) {
    return Buckets.between(
        LongStream.of(times.from(), times.queryStart(), times.queryEnd(), times.to())
            .sorted()
            .distinct()
            .toArray());
  }

  private static @Nullable Buckets calendar(String interval, TimeZone zone, long from, long to) {
    String units = DateTime.getDurationUnits(interval);
    int number = DateTime.getDurationInterval(interval);
    int unit = DateTime.unitsToCalendarType(units);
    boolean weeks = units.equals("w");
    Calendar edge = DateTime.previousInterval(from, number, unit, zone);
    if (edge.getTimeInMillis() < 0) {
      // OpenTSDB has no calendar before 1970.
      return null;
    }
    long[] edges = new long[64];
    int size = 0;
    edges[size++] = edge.getTimeInMillis();
    while (edges[size - 1] < to) {
      if (size == MAX_CALENDAR_BUCKETS) {
        return null;
      }
      edge.add(weeks ? Calendar.DAY_OF_MONTH : unit, weeks ? 7 * number : number);
      if (size == edges.length) {
        edges = Arrays.copyOf(edges, 2 * size);
      }
      edges[size++] = edge.getTimeInMillis();
      // A series whose first point is in this bucket must begin with the same bucket.
      if (begin(edges[size - 2], number, unit, zone) != edges[size - 2]
          || begin(edges[size - 1] - 1, number, unit, zone) != edges[size - 2]) {
        return null;
      }
    }
    return Buckets.between(Arrays.copyOf(edges, size));
  }

  private static long begin(long time, int number, int unit, TimeZone zone) {
    return DateTime.previousInterval(time, number, unit, zone).getTimeInMillis();
  }
}
