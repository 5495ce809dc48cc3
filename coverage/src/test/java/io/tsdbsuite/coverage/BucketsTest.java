package io.tsdbsuite.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class BucketsTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  @Test
  void narrowerIntervalsThatDivideTheBucketFillTheRange() {
    assertThat(Buckets.every(6 * HOUR).wholeIntervals(HOUR / 2, 13 * HOUR + 1, HOUR))
        .isEqualTo(TimeRanges.of(HOUR, 13 * HOUR));
    assertThat(Buckets.every(HOUR).wholeIntervals(0, 5 * HOUR, HOUR))
        .isEqualTo(TimeRanges.of(0, 5 * HOUR));
  }

  @Test
  void anIntervalAcrossTheEdgeOfABucketIsInNone() {
    // 0:00, 1:30, 3:00: the hour from 1:00 is of two buckets.
    assertThat(Buckets.every(90 * 60_000).wholeIntervals(0, 3 * HOUR, HOUR))
        .hasToString("[0, 3600000) [7200000, 10800000)");
    assertThat(Buckets.every(HOUR).wholeIntervals(0, 10 * DAY, DAY)).isEqualTo(TimeRanges.none());
  }

  @Test
  void timesBeforeTheEpochHaveBuckets() {
    assertThat(Buckets.every(DAY).wholeIntervals(-DAY - 1, 1, HOUR))
        .isEqualTo(TimeRanges.of(-DAY, 0));
  }

  @Test
  void aDayInBerlinHasHoursAndNoDays() {
    Buckets berlin = days("Europe/Berlin", 5);
    long from = LocalDate.of(2026, 3, 27).atStartOfDay(ZoneId.of("Europe/Berlin")).toEpochSecond();
    assertThat(berlin.wholeIntervals(from * 1000, from * 1000 + 4 * DAY, HOUR).length())
        .isEqualTo(4 * DAY);
    assertThat(berlin.wholeIntervals(from * 1000, from * 1000 + 4 * DAY, DAY).isEmpty()).isTrue();
  }

  @Test
  void aDayInIndiaHasTheHoursBetweenItsHalves() {
    Buckets india = days("Asia/Kolkata", 2);
    long from = LocalDate.of(2026, 3, 27).atStartOfDay(ZoneId.of("Asia/Kolkata")).toEpochSecond();
    // From half past to half past: 23 whole hours.
    assertThat(india.wholeIntervals(from * 1000, from * 1000 + DAY, HOUR).length())
        .isEqualTo(23 * HOUR);
  }

  @Test
  void bucketsThatAreIntervalsCoincide() {
    TimeRanges all = TimeRanges.of(1, 2 * DAY);
    assertThat(Buckets.every(HOUR).coinciding(all, HOUR)).isEqualTo(all);
    assertThat(Buckets.every(HOUR).coinciding(all, DAY)).isEqualTo(TimeRanges.none());
    assertThat(Buckets.every(DAY).coinciding(all, HOUR)).isEqualTo(TimeRanges.none());
    Buckets hours = Buckets.between(0, HOUR, 2 * HOUR, 2 * HOUR + 1, 3 * HOUR + 1, 4 * HOUR);
    assertThat(hours.coinciding(all, HOUR)).isEqualTo(TimeRanges.of(1, 2 * HOUR));
  }

  /** When the clocks go back, the day of 25 hours has a whole day of UTC in it. */
  @Test
  void aLongDayOfACalendarIsNoDay() {
    long[] edges = new long[4];
    for (int i = 0; i < edges.length; i++) {
      edges[i] =
          LocalDate.of(2026, 10, 24)
                  .plusDays(i)
                  .atStartOfDay(ZoneId.of("Europe/London"))
                  .toEpochSecond()
              * 1000;
    }
    TimeRanges all = TimeRanges.of(edges[0], edges[3]);
    Buckets london = Buckets.between(edges);
    assertThat(london.wholeIntervals(edges[0], edges[2], DAY).length()).isEqualTo(DAY);
    assertThat(london.coinciding(TimeRanges.of(0, edges[2]), DAY)).isEqualTo(TimeRanges.none());
    assertThat(london.coinciding(all, DAY)).isEqualTo(TimeRanges.of(edges[2], edges[3]));
    assertThat(days("UTC", 2).coinciding(TimeRanges.of(0, Long.MAX_VALUE), DAY).length())
        .isEqualTo(2 * DAY);
  }

  /** Days from 27 March 2026; on the 29th Berlin's clocks go forward. */
  private static Buckets days(String zone, int days) {
    long[] edges = new long[days + 1];
    for (int i = 0; i <= days; i++) {
      edges[i] =
          LocalDate.of(2026, 3, 27).plusDays(i).atStartOfDay(ZoneId.of(zone)).toEpochSecond()
              * 1000;
    }
    return Buckets.between(edges);
  }

  @Test
  void timesOutsideTheEdgesHaveNoBucket() {
    assertThat(Buckets.between(5, 25).wholeIntervals(0, 100, 10)).isEqualTo(TimeRanges.of(10, 20));
    assertThat(Buckets.between(5, 25).wholeIntervals(30, 100, 10)).isEqualTo(TimeRanges.none());
  }

  @Test
  void whatMakesNoBucketIsRefused() {
    assertThatThrownBy(() -> Buckets.every(0)).hasMessageContaining("0 is not positive");
    assertThatThrownBy(() -> Buckets.between(1)).hasMessageContaining("1 edges");
    assertThatThrownBy(() -> Buckets.between(1, 3, 3)).hasMessageContaining("edge 3 after 3");
  }
}
