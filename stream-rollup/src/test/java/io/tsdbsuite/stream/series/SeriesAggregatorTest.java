package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The rules of a stream that agrees with a TSD to the last bit: each row of docs/stream-rollup.md.
 */
class SeriesAggregatorTest {
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "10m", "preAggregationTable": "agg-10m", "interval": "10m", "rowSpan": "1d"},
            {"table": "1h", "preAggregationTable": "agg-1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "6h", "preAggregationTable": "agg-6h", "interval": "6h", "rowSpan": "1n"},
            {"table": "1d", "preAggregationTable": "agg-1d", "interval": "1d", "rowSpan": "1y"}]}
          """);

  /** Midnight of 19 November 2025, UTC. */
  private static final int DAY = 1763510400;

  private static final int SLACK = 120;
  private static final int HOUR = 3600;

  private final OneSeries series = of("10m", "1h", "1d");

  private static OneSeries of(String... names) {
    return new OneSeries(
        new StreamIntervals(
            Arrays.stream(names).map(CONFIG::interval).toList(),
            SLACK,
            2400,
            SuiteConfig.NONE,
            HistogramCodecs.NONE));
  }

  @Test
  void pointsOutOfOrderAreAddedInTheOrderOfTime() {
    // 1e16 + 1 + 1 is 1e16 from left to right; (1 + 1) + 1e16 is more.
    series.watermark(DAY);
    series.add(
        (DAY + 20) * 1000L, PointColumn.flags(false, true, 8), Double.doubleToRawLongBits(1));
    series.add(
        (DAY + 30) * 1000L, PointColumn.flags(false, true, 8), Double.doubleToRawLongBits(1));
    series.add(
        (DAY + 10) * 1000L, PointColumn.flags(false, true, 8), Double.doubleToRawLongBits(1e16));
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups)
        .containsOnlyKeys("10m " + DAY, "1h " + DAY, "1d " + DAY)
        .allSatisfy(
            (key, values) -> assertThat(values).containsExactly(1e16, 1.0, 1e16, 3L, "m", "a"));
    assertThat(series.requests).isEmpty();
    assertThat(series.state).isNull();
  }

  @Test
  void aBucketIsEmittedAtItsTimeAndNotBefore() {
    series.watermark(DAY);
    series.second(DAY + 1, 5);
    series.watermark(series.due(0, DAY) - 1);
    assertThat(series.rollups).isEmpty();
    series.watermark(series.due(0, DAY));
    assertThat(series.rollups).containsOnlyKeys("10m " + DAY);
    series.watermark(series.due(1, DAY));
    assertThat(series.rollups).containsOnlyKeys("10m " + DAY, "1h " + DAY);
  }

  @Test
  void ofOneInstantTheLastOneWins() {
    series.watermark(DAY);
    assertThat(series.second(DAY + 1, 5)).isEqualTo(Outcome.HELD);
    assertThat(series.second(DAY + 1, 7)).isEqualTo(Outcome.REPLACED);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups.get("1h " + DAY)).startsWith(7.0, 7.0, 7.0, 1L);
  }

  @Test
  void secondsAndMillisecondsOfOneInstantAreOnePoint() {
    series.watermark(DAY);
    series.second(DAY + 1, 5);
    assertThat(series.add((DAY + 1) * 1000L, PointColumn.flags(true, false, 8), 5))
        .isEqualTo(Outcome.REPLACED);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups.get("1h " + DAY)).startsWith(5.0, 5.0, 5.0, 1L);
    assertThat(series.requests).isEmpty();
  }

  @Test
  void twoColumnsOfOneInstantAreLeftToRepair() {
    series.watermark(DAY);
    series.second(DAY + 1, 5);
    series.add((DAY + 1) * 1000L, PointColumn.flags(false, false, 1), 5);
    series.second(DAY + HOUR + 1, 5);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.requests)
        .containsExactly(DAY + " 10m duplicate", DAY + " 1h duplicate", DAY + " 1d duplicate");
    assertThat(series.rollups).containsOnlyKeys("10m " + (DAY + HOUR), "1h " + (DAY + HOUR));
    assertThat(series.dirty).containsOnly(RequestReason.DUPLICATE).hasSize(3);
  }

  @Test
  void anEqualSecondColumnThatIsRewrittenIsLeftToRepair() {
    series.watermark(DAY);
    series.second(DAY + 1, 5);
    series.add((DAY + 1) * 1000L, PointColumn.flags(true, false, 8), 5);
    series.add((DAY + 1) * 1000L, PointColumn.flags(true, false, 8), 6);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).isEmpty();
    assertThat(series.requests).hasSize(3);
  }

  @Test
  void aPointOlderThanTheSlackLeavesItsOpenBucketsToRepair() {
    series.watermark(DAY);
    series.second(DAY + 400, 5);
    series.watermark(DAY + 500);
    assertThat(series.second(DAY + 379, 1)).isEqualTo(Outcome.LATE);
    assertThat(series.second(DAY + 380, 1)).isEqualTo(Outcome.HELD);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).isEmpty();
    assertThat(series.requests)
        .containsExactly(DAY + " 10m late", DAY + " 1h late", DAY + " 1d late");
  }

  @Test
  void aPointOfAClosedBucketIsRequestedOnceWithinAMinute() {
    series.watermark(DAY + 5 * 86400);
    assertThat(series.second(DAY + 1, 1)).isEqualTo(Outcome.LATE);
    series.watermark(DAY + 5 * 86400 + 30);
    assertThat(series.second(DAY + 2, 1)).isEqualTo(Outcome.LATE);
    assertThat(series.requests).isEmpty();
    series.watermark(DAY + 5 * 86400 + 60);
    assertThat(series.requests).containsExactly(DAY + " 10m 1h 1d late");
    assertThat(series.state).isNull();
    series.second(DAY + 3, 1);
    series.watermark(DAY + 5 * 86400 + 200);
    assertThat(series.requests).hasSize(2);
  }

  @Test
  void aRequestWaitsForTheEndOfItsBucket() {
    series.watermark(DAY + 1500);
    // The bucket of 10m is over, the hour and the day are not.
    series.second(DAY + 1, 1);
    series.watermark(DAY + 1600);
    assertThat(series.requests).containsExactly(DAY + " 10m late");
    series.watermark(DAY + HOUR + SLACK);
    assertThat(series.requests).containsExactly(DAY + " 10m late", DAY + " 1h late");
    series.watermark(DAY + 86400 + SLACK);
    assertThat(series.requests).hasSize(3);
  }

  @Test
  void aLatePointRequestsTheBucketsThatContainItsHour() {
    OneSeries wide = of("1h", "6h", "1d");
    wide.watermark(DAY);
    wide.second(DAY + 1, 5);
    wide.second(DAY + 3 * HOUR, 7);
    wide.watermark(wide.due(1, DAY) - 1);
    assertThat(wide.rollups).containsOnlyKeys("1h " + DAY, "1h " + (DAY + 3 * HOUR));
    wide.watermark(wide.due(1, DAY));
    assertThat(wide.rollups.get("6h " + DAY)).containsExactly(12.0, 5.0, 7.0, 2L, "m", "a");
    // The buckets of 1h and 6h are over, the day is not.
    wide.second(DAY + 4 * HOUR, 1);
    wide.second(DAY + 7 * HOUR, 1);
    wide.watermark(DAY + 9 * HOUR);
    assertThat(wide.requests).containsExactly((DAY + 4 * HOUR) + " 1h 6h late");
    // Of the open one of 6h.
    wide.second(DAY + 6 * HOUR, 1);
    wide.watermark(DAY + 12 * HOUR + SLACK - 1);
    assertThat(wide.requests).hasSize(2).contains((DAY + 6 * HOUR) + " 1h late");
    wide.watermark(DAY + 2 * 86400);
    assertThat(wide.requests).hasSize(4).contains((DAY + 6 * HOUR) + " 6h late", DAY + " 1d late");
    assertThat(wide.rollups).doesNotContainKeys("6h " + (DAY + 6 * HOUR), "1d " + DAY);
  }

  /** The job starts inside a bucket, and knows of a point ahead in another. */
  @Test
  void bucketsOfSomeHoursAreWholeOrLeftToRepair() {
    OneSeries wide = of("1h", "6h");
    wide.before = new long[] {DAY + 13 * HOUR};
    wide.incomplete.add(Long.MIN_VALUE, (DAY + HOUR) * 1000L);
    for (int time = DAY + HOUR; time < DAY + 86400; time += 600) {
      wide.watermark(time);
      wide.second(time, 1);
    }
    wide.watermark(DAY + 2 * 86400);
    assertThat(wide.rollups.keySet().stream().filter(key -> key.startsWith("6h")))
        .containsExactlyInAnyOrder("6h " + (DAY + 6 * HOUR), "6h " + (DAY + 18 * HOUR));
    assertThat(wide.rollups.get("6h " + (DAY + 18 * HOUR))).startsWith(36.0);
    assertThat(wide.requests)
        .contains(DAY + " 6h started", (DAY + 12 * HOUR) + " 6h ahead")
        .doesNotContain((DAY + 6 * HOUR) + " 6h started");
  }

  @Test
  void aLatePointBeforeTheFirstOneOfItsHourLeavesTheHourToRepair() {
    series.watermark(DAY + 1500);
    series.second(DAY + 1, 1);
    series.second(DAY + 1500, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).containsOnlyKeys("10m " + (DAY + 1200));
    assertThat(series.requests)
        .containsExactly(DAY + " 10m late", DAY + " 1h late", DAY + " 1d late");
  }

  @Test
  void aBucketInWhichTheJobStartedIsNotEmitted() {
    series.incomplete.add(Long.MIN_VALUE, (DAY + 700) * 1000L);
    series.watermark(DAY + 700);
    series.second(DAY + 710, 1);
    series.second(DAY + 1210, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).containsOnlyKeys("10m " + (DAY + 1200));
    assertThat(series.requests)
        .containsExactly(DAY + " 10m started", DAY + " 1h started", DAY + " 1d started");
    assertThat(series.dirty).containsOnly(RequestReason.STARTED).hasSize(3);
  }

  @Test
  void messagesThatKafkaDeletedLeaveTheirBucketsToRepair() {
    series.watermark(DAY);
    series.second(DAY + 10, 1);
    series.watermark(DAY + 200);
    series.miss(DAY + 300, DAY + 1300);
    series.second(DAY + 1900, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).containsOnlyKeys("10m " + (DAY + 1800));
    assertThat(series.requests)
        .contains(DAY + " 10m started", DAY + " 1h started", DAY + " 1d started");
  }

  @Test
  void aPointFarAheadIsRequestedWhenItsTimeHasCome() {
    series.watermark(DAY);
    series.ahead(true);
    assertThat(series.second(DAY + 7200, 1)).isEqualTo(Outcome.AHEAD);
    series.ahead(false);
    series.second(DAY + 1, 1);
    series.watermark(DAY + HOUR + SLACK + 2400);
    assertThat(series.rollups).containsOnlyKeys("10m " + DAY, "1h " + DAY);
    assertThat(series.requests).isEmpty();
    series.second(DAY + 7300, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).hasSize(2);
    assertThat(series.requests)
        .containsExactly(
            (DAY + 7200) + " 10m ahead", (DAY + 7200) + " 1h ahead", DAY + " 1d ahead");
  }

  @Test
  void aSumBeyondTheRangeOfADoubleIsLeftToRepair() {
    series.watermark(DAY);
    long bits = Double.doubleToRawLongBits(Double.MAX_VALUE);
    series.add((DAY + 1) * 1000L, PointColumn.flags(false, true, 8), bits);
    series.add((DAY + 2) * 1000L, PointColumn.flags(false, true, 8), bits);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).isEmpty();
    assertThat(series.dirty).containsOnly(RequestReason.NOT_FINITE);
  }

  @Test
  void afterARestartTheWatermarkOfBeforeCounts() {
    series.watermark(DAY + 3 * 86400);
    series.second(DAY + 1, 1);
    assertThat(series.outcomes).containsOnlyKeys(Outcome.LATE);
  }

  @Test
  void aTimeBeyondTheStateIsNoDefect() {
    series.watermark(DAY);
    assertThat(series.second(4_000_000_000L, 1)).isEqualTo(Outcome.AHEAD);
    assertThat(series.dropped).isEqualTo(1);
  }

  @Test
  void aPointOfADeviceWithoutAClockIsCountedOnly() {
    series.watermark(DAY);
    assertThat(series.second(700, 1)).isEqualTo(Outcome.LATE);
    series.second(DAY + 1, 1);
    assertThat(series.second(700, 1)).isEqualTo(Outcome.LATE);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.dropped).isEqualTo(2);
    assertThat(series.requests).isEmpty();
    assertThat(series.rollups).hasSize(3);
  }

  @Test
  void aBucketWhoseRequestFoundNoRoomIsNotEmitted() {
    int later = DAY + 4 * 86400;
    series.watermark(DAY);
    series.ahead(true);
    for (int i = 0; i < 400; i++) {
      series.second(later + i * 600L, 1);
    }
    assertThat(series.dropped).isPositive();
    series.ahead(false);
    int bucket = later + 399 * 600;
    series.watermark(bucket + 300);
    series.second(bucket + 300, 1);
    int nextDay = DAY + 7 * 86400;
    series.watermark(nextDay);
    series.second(nextDay + 10, 1);
    series.watermark(nextDay + 3 * 86400);
    assertThat(series.rollups).containsOnlyKeys("10m " + nextDay, "1h " + nextDay, "1d " + nextDay);
    assertThat(series.state).isNull();
  }

  @Test
  void aGapDoesNotDelayTheTimersOfLaterPoints() {
    series.watermark(DAY);
    series.second(DAY + 1, 1);
    series.watermark(DAY + 7200);
    series.miss(DAY + 7000, DAY + 7100);
    series.second(DAY + 7300, 1);
    series.watermark(series.due(0, DAY + 7200));
    assertThat(series.rollups).containsKey("10m " + (DAY + 7200));
  }

  @Test
  void aGapOfYearsIsRequestedForItsLastDays() {
    series.watermark(DAY);
    series.second(DAY + 1, 1);
    series.miss(0, DAY + 100);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.requests)
        .hasSizeBetween(48, 400)
        .anyMatch(request -> request.startsWith((DAY - 86400) + " "))
        .noneMatch(request -> request.startsWith((DAY - 4 * 86400) + " "));
    assertThat(series.rollups).isEmpty();
  }

  /** The job before had not written all buckets of before 09:00, and its state is lost. */
  @Test
  void aStartWithoutStateRequestsBucketsThatEndedBefore() {
    startWithoutState(DAY + 9 * HOUR + 300);
    series.second(DAY + 9 * HOUR + 301, 1);
    series.second(DAY + 10 * HOUR + 1, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.requests)
        .containsExactlyInAnyOrder(
            (DAY + 8 * HOUR) + " 10m 1h started",
            (DAY + 9 * HOUR) + " 10m started",
            (DAY + 9 * HOUR) + " 1h started",
            DAY + " 1d started");
    assertThat(series.rollups)
        .containsOnlyKeys("10m " + (DAY + 10 * HOUR), "1h " + (DAY + 10 * HOUR));
  }

  /** Also of the days, and for a series that sends its first point hours later; once. */
  @Test
  void aStartAfterMidnightRequestsTheDayOfBefore() {
    startWithoutState(DAY + 300);
    series.watermark(DAY + 5 * HOUR);
    series.second(DAY + 5 * HOUR + 1, 1);
    series.watermark(DAY + 5 * HOUR + 120);
    assertThat(series.requests)
        .containsExactlyInAnyOrder((DAY - HOUR) + " 10m 1h 1d started", DAY + " 10m 1h started");
    series.watermark(DAY + 4 * 86400);
    assertThat(series.requests).hasSize(3).contains(DAY + " 1d started");
    assertThat(series.state).isNull();
  }

  @Test
  void aSeriesThatPausesIsRequestedOnce() {
    OneSeries pauses = of("10m");
    pauses.incomplete.add(Long.MIN_VALUE, DAY * 1000L);
    pauses.incomplete.add(DAY * 1000L, (DAY + SLACK) * 1000L + 1);
    for (int hour = 1; hour < 30; hour++) {
      pauses.watermark(DAY + hour * HOUR);
      pauses.second(DAY + hour * HOUR + 1, 1);
    }
    pauses.watermark(DAY + 3 * 86400);
    assertThat(pauses.requests)
        .containsExactlyInAnyOrder((DAY - HOUR) + " 10m started", DAY + " 10m started");
    assertThat(pauses.rollups).hasSize(29);
    assertThat(pauses.state).isNull();
  }

  /** Kafka deleted messages before the first point of a series. */
  @Test
  void aSeriesThatIsFirstSeenBehindAGapRequestsItsBuckets() {
    series.watermark(DAY + 2 * HOUR);
    series.miss(DAY + HOUR + 700, DAY + HOUR + 900);
    series.second(DAY + 2 * HOUR + 1, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.requests)
        .contains((DAY + HOUR) + " 10m started", (DAY + HOUR) + " 1h started", DAY + " 1d started");
  }

  private void startWithoutState(int first) {
    series.incomplete.add(Long.MIN_VALUE, first * 1000L);
    series.incomplete.add(first * 1000L, (first + SLACK) * 1000L + 1);
  }

  /** The state is lost before the time of the point has come. */
  @Test
  void aJobBehindALostOneKnowsThePointsAhead() {
    series.watermark(DAY);
    series.ahead(true);
    series.second(DAY + 7 * HOUR + 700, 1);
    series.second(DAY + 7 * HOUR + 701, 1);
    series.second(DAY + 7 * HOUR + 1300, 1);
    assertThat(series.told)
        .containsExactly((DAY + 7 * HOUR) + " 10m 1h 1d", (DAY + 7 * HOUR) + " 10m");

    OneSeries next = of("10m", "1h", "1d");
    next.before = new long[] {DAY + 7 * HOUR, 0xffff_ffffL / HOUR * HOUR};
    next.watermark(DAY + 6 * HOUR);
    for (int time = DAY + 6 * HOUR; time < DAY + 9 * HOUR; time += 600) {
      next.watermark(time);
      next.second(time, 1);
    }
    next.watermark(DAY + 2 * 86400);
    assertThat(next.rollups)
        .containsKeys("1h " + (DAY + 6 * HOUR), "1h " + (DAY + 8 * HOUR))
        .doesNotContainKeys("1h " + (DAY + 7 * HOUR), "1d " + DAY)
        .hasSize(2 + 12);
    assertThat(next.requests)
        .filteredOn(request -> request.startsWith((DAY + 7 * HOUR) + " "))
        .allMatch(request -> request.endsWith(" ahead"))
        .anyMatch(request -> request.contains(" 10m"))
        .anyMatch(request -> request.contains(" 1h"));
    assertThat(next.state).isNull();
  }

  /** One that is always ahead by more than the slack is told once for each bucket. */
  @Test
  void pointsAheadAreToldOnceForEachBucket() {
    series.ahead(true);
    for (int time = DAY; time < DAY + 86400; time += 10) {
      series.watermark(time - 300);
      series.second(time, 1);
    }
    assertThat(series.told).hasSize(144);
  }

  /** A clock was wrong for two days. */
  @Test
  void pointsAheadByYearsHideNothing() {
    series.watermark(DAY);
    wrongClock(DAY + 1500 * 86400, 86);
    int hours = 60;
    for (int i = 0; i < hours; i++) {
      series.watermark(DAY + i * HOUR);
      series.second(DAY + i * HOUR + 1, 1);
    }
    // Late points of many hours have room, too.
    series.watermark(DAY + 5 * 86400);
    for (int i = 0; i < hours; i++) {
      assertThat(series.second(DAY + i * HOUR + 2, 1)).isEqualTo(Outcome.LATE);
    }
    series.watermark(DAY + 5 * 86400 + 120);
    assertThat(series.rollups).hasSize(hours + hours + 3);
    assertThat(series.requests).hasSize(hours).allMatch(request -> request.endsWith(" late"));
  }

  /** Also of a state from before, whose room is full: the buckets that come are never silent. */
  @Test
  void bucketsOfTheTimeOfTheWrongClockAreLeftToRepairAllOfThem() {
    int wrong = DAY + 400 * 86400;
    series.watermark(DAY);
    wrongClock(wrong, 86);
    for (int i = 0; i < 48; i++) {
      series.watermark(wrong + i * HOUR);
      series.second(wrong + i * HOUR + 900, 1);
    }
    series.watermark(wrong + 10 * 86400);
    assertThat(series.rollups)
        .doesNotContainKeys("1h " + wrong, "1d " + wrong, "1d " + (wrong + 86400));
    for (int i = 0; i < 86; i++) {
      assertThat(series.rollups).doesNotContainKey("1h " + (wrong + i * 2000 / HOUR * HOUR));
    }
    assertThat(series.requests).anyMatch(r -> r.contains(" 1h") && r.startsWith(wrong + " "));
    assertThat(series.state).isNull();
  }

  /** Of clocks that are wrong in many ways. */
  @Test
  void manyTimesAheadHideNothingOfThePresent() {
    Random random = Seed.random();
    series.watermark(DAY);
    series.ahead(true);
    for (int i = 0; i < 3000; i++) {
      series.second(DAY + (10 + random.nextInt(3650)) * 86400L + random.nextInt(86400), 1);
    }
    series.ahead(false);
    series.second(DAY + 1, 1);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).hasSize(3);
    assertThat(SeriesAggregator.length(series.state)).isLessThan(3000);
  }

  private void wrongClock(int from, int points) {
    series.ahead(true);
    for (int i = 0; i < points; i++) {
      series.second(from + i * 2000L, 1);
    }
    series.ahead(false);
  }

  /** A backlog of 17 days is read while an empty partition has no watermark yet. */
  @Test
  void withoutAWatermarkASeriesGoesOnByItsOwnMessages() {
    int most = 0;
    for (int time = DAY; time < DAY + 17 * 86400; time += 60) {
      series.message(time);
      series.second(time, 1);
      most = Math.max(most, series.held());
    }
    // Half an hour, and the slack.
    assertThat(most).isLessThanOrEqualTo(33);
    assertThat(series.outcomes).containsOnlyKeys(Outcome.HELD);
    assertThat(series.rollups).hasSizeGreaterThan(17 * 24 * 7 - 20);
    series.watermark(DAY + 19 * 86400);
    assertThat(series.rollups).hasSize(17 * 24 * 7 + 17);
    assertThat(series.requests).isEmpty();
    assertThat(series.rollups.get("1d " + DAY)).startsWith(1440.0);
    assertThat(series.state).isNull();
  }

  /** Its points also come from a partition that is behind. */
  @Test
  void aSeriesOfTwoPartitionsThatAreFarApartIsLeftToRepair() {
    series.watermark(DAY);
    for (int time = DAY; time < DAY + 3 * HOUR; time += 60) {
      series.message(time);
      series.second(time, 1);
    }
    series.message(DAY + 30);
    assertThat(series.second(DAY + 30, 1)).isEqualTo(Outcome.LATE);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.requests).contains(DAY + " 1h late", DAY + " 1d late");
  }

  /** Nothing is left of the series but that it was ahead. */
  @Test
  void aSeriesThatWasAheadNeverWritesABucketTwice() {
    OneSeries ahead = of("10m");
    ahead.watermark(DAY);
    ahead.message(DAY);
    ahead.second(DAY + 1, 1);
    ahead.message(DAY + 2 * HOUR);
    // Counted only.
    ahead.second(700, 1);
    assertThat(ahead.rollups).hasSize(1);
    ahead.message(DAY + 100);
    assertThat(ahead.second(DAY + 100, 1)).isEqualTo(Outcome.LATE);
    ahead.watermark(DAY + 86400);
    assertThat(ahead.rollups).hasSize(1);
    assertThat(ahead.requests).containsExactly(DAY + " 10m late");
    assertThat(ahead.state).isNull();
  }

  /** Of a gap that is not known yet: all points wait, and then all buckets end at once. */
  @Test
  void aBacklogThatIsReleasedAtOnceIsWritten() {
    series.gap(DAY + 40 * 86400);
    for (int time = DAY; time < DAY + 3 * 86400; time += 60) {
      series.second(time, 1);
    }
    assertThat(series.held()).isEqualTo(3 * 1440);
    series.message(DAY + 4 * 86400);
    series.second(DAY + 4 * 86400, 1);
    assertThat(series.rollups).hasSize(3 * 24 * 7 + 3);
    series.watermark(DAY + 6 * 86400);
    assertThat(series.rollups).hasSize(3 * 24 * 7 + 3 + 3);
    assertThat(series.rollups.get("1d " + DAY)).startsWith(1440.0);
    assertThat(series.requests).isEmpty();
    assertThat(series.closed).isEqualTo(series.emitted);
    assertThat(series.state).isNull();
  }

  /** None of them finds no room among the requests. */
  @Test
  void aBacklogThatIsReleasedAtOnceIsRequested() {
    series.gap(DAY + 40 * 86400);
    for (int time = DAY; time < DAY + 3 * 86400; time += 60) {
      series.second(time, 1);
      series.add(time * 1000L, PointColumn.flags(false, false, 1), 5);
    }
    series.message(DAY + 4 * 86400);
    series.second(DAY + 4 * 86400, 1);
    series.watermark(DAY + 6 * 86400);
    assertThat(series.rollups).hasSize(3);
    assertThat(series.dropped).isZero();
    for (int hour = 0; hour < 72; hour++) {
      assertThat(isRequested("10m " + (DAY + hour * HOUR), series)).isTrue();
      assertThat(isRequested("1h " + (DAY + hour * HOUR), series)).isTrue();
    }
    assertThat(series.closed).isEqualTo(series.emitted + series.dirty.size());
  }

  /** All of its messages have the time -1, and another partition has none. */
  @Test
  void withoutTimesOfMessagesASeriesGoesOnByItsPoints() {
    int most = 0;
    for (int time = DAY; time < DAY + 17 * 86400; time += 60) {
      // A clock that is wrong now and then moves nothing.
      boolean wrong = time % 86400 == 0;
      series.second(wrong ? DAY + 17 * 86400 + (time - DAY) / 86400 : time, 1);
      most = Math.max(most, series.held() - (time - DAY) / 86400);
    }
    assertThat(most).isLessThan(100);
    assertThat(series.outcomes).doesNotContainKey(Outcome.LATE);
    series.watermark(DAY + 20 * 86400);
    assertThat(series.rollups.get("1d " + DAY)).startsWith(1440.0 - 1);
    assertThat(series.requests).isEmpty();
    assertThat(series.state).isNull();
  }

  /** Many in the slack, out of order: none of them is late. */
  @Test
  void withoutTimesOfMessagesTheSlackStays() {
    Random random = Seed.random();
    int flags = PointColumn.flags(true, false, 8);
    for (int i = 0; i < 12_000; i++) {
      series.add(DAY * 1000L + i * 500L + random.nextInt(SLACK * 1000), flags, 1);
    }
    assertThat(series.outcomes).doesNotContainKey(Outcome.LATE);
    // Half an hour and the slack are 3,840 points; the other half of those that wait is newer.
    assertThat(series.held()).isLessThan(9_000);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.requests).isEmpty();
  }

  /** The search of a place takes a step for each point that waits. */
  @Test
  void pointsOutOfOrderAmongVeryManyAreLeftToRepair() {
    int flags = PointColumn.flags(true, false, 8);
    long start = DAY * 1000L;
    series.watermark(DAY);
    for (int i = 9_999; i > 0; i--) {
      assertThat(series.add(start + (i ^ 1) * 10L, flags, i)).isEqualTo(Outcome.HELD);
    }
    assertThat(series.add(start + 15, flags, 1)).isEqualTo(Outcome.HELD);
    // Those that need no search go on.
    assertThat(series.add(start + 100_000, flags, 1)).isEqualTo(Outcome.HELD);
    assertThat(series.add(start + 100_000, flags, 2)).isEqualTo(Outcome.REPLACED);
    assertThat(series.add(start + 25, flags, 1)).isEqualTo(Outcome.CROWDED);
    assertThat(series.add(start + 20, flags, 2)).isEqualTo(Outcome.CROWDED);
    assertThat(series.held()).isEqualTo(10_001);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).isEmpty();
    assertThat(series.dirty)
        .containsExactly(RequestReason.LATE, RequestReason.LATE, RequestReason.LATE);
    assertThat(series.requests).hasSize(3).allMatch(request -> request.endsWith(" late"));
    assertThat(series.state).isNull();
  }

  /** Its points wait until the task knows which messages are missing, and no longer. */
  @Test
  void behindAGapASeriesGoesOnWhenTheGapIsKnown() {
    series.message(DAY);
    series.second(DAY, 1);
    series.gap(DAY + 7 * HOUR);
    for (int time = DAY + 7 * HOUR; time < DAY + 12 * HOUR; time += 60) {
      series.second(time, 1);
    }
    assertThat(series.held()).isEqualTo(301);
    series.miss(DAY + 60, DAY + 7 * HOUR);
    int most = 0;
    for (int time = DAY + 12 * HOUR; time < DAY + 20 * HOUR; time += 60) {
      series.second(time, 1);
      most = Math.max(most, time < DAY + 13 * HOUR ? 0 : series.held());
    }
    assertThat(most).isLessThan(100);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups)
        .doesNotContainKeys("1h " + DAY, "10m " + DAY, "1d " + DAY)
        .hasSize(13 * 7);
    assertThat(series.outcomes).doesNotContainKey(Outcome.LATE);
  }

  /** The series has no other timer than that of its day, and sends nothing. */
  @Test
  void aGapIsRequestedWithoutAnotherPoint() {
    OneSeries quiet = of("1h", "1d");
    quiet.watermark(DAY);
    quiet.second(DAY + 300, 1);
    quiet.watermark(DAY + 9 * HOUR + 2100);
    quiet.miss(DAY + 8 * HOUR, DAY + 8 * HOUR + 1800);
    assertThat(quiet.requests).containsExactly((DAY + 8 * HOUR) + " 1h started");
    // A late point of the same hour waits for others, as ever.
    quiet.second(DAY + 8 * HOUR + 1, 1);
    quiet.miss(DAY + 7 * HOUR, DAY + 8 * HOUR + 1800);
    assertThat(quiet.requests).hasSize(1);
    quiet.watermark(DAY + 9 * HOUR + 2100 + 60);
    assertThat(quiet.requests)
        .containsExactlyInAnyOrder(
            (DAY + 8 * HOUR) + " 1h started",
            (DAY + 8 * HOUR) + " 1h late",
            (DAY + 7 * HOUR) + " 1h started");
    quiet.watermark(DAY + 2 * 86400);
    assertThat(quiet.requests).hasSize(4).contains(DAY + " 1d started");
  }

  /** A gap each day. */
  @Test
  void aSeriesThatHasEndedIsNotKeptByLaterGaps() {
    OneSeries ended = of("10m", "1h", "1d");
    ended.watermark(DAY);
    ended.second(DAY + 300, 1);
    for (int day = 0; day < 5; day++) {
      int gap = DAY + day * 86400 + 12 * HOUR;
      ended.watermark(gap);
      ended.miss(gap - 1800, gap);
    }
    assertThat(ended.state).isNull();
    // One that was only quiet requests them with its next point.
    ended.second(DAY + 4 * 86400 + 13 * HOUR, 1);
    ended.watermark(DAY + 7 * 86400);
    assertThat(ended.requests)
        .contains((DAY + 4 * 86400 + 11 * HOUR) + " 10m 1h started")
        .contains((DAY + 4 * 86400) + " 1d started");
    assertThat(ended.state).isNull();
  }

  /** The clock is wrong with pauses, until spans of time are joined over them. */
  @Test
  void allHoursOfASpanAheadAreTold() {
    int wrong = DAY + 86400;
    series.watermark(DAY);
    series.ahead(true);
    for (int i = 0; i < 200; i++) {
      series.second(wrong + i * 3L * HOUR, 1);
    }
    series.second(wrong + 90 * 3L * HOUR + 1, 1);
    assertThat(SeriesAggregator.length(series.state)).isLessThan(4000);
    int before = series.told.size();
    // In a pause of it.
    int pause = wrong + 150 * 3 * HOUR + HOUR;
    series.second(pause, 1);
    assertThat(series.told).anyMatch(told -> told.startsWith(pause + " "));
    assertThat(series.told.size() - before).isLessThanOrEqualTo(1);
  }

  /** A state of today's version that is full of requests of the future, without marks. */
  @Test
  void aStateFullOfRequestsMakesRoom() {
    for (boolean late : new boolean[] {false, true}) {
      OneSeries full = of("10m", "1h", "1d");
      full.watermark(DAY);
      full.second(DAY + 1, 1);
      SeriesEntry entry = new SeriesEntry(3);
      entry.wrap(full.state);
      for (int i = 0; i < 255; i++) {
        int start = DAY + (late ? -i - 1 : 5000 + i) * 600;
        entry.addRequest(start, 0, RequestReason.LATE.code(), DAY + 60);
      }
      full.state = entry.array();
      full.ahead(true);
      full.second(DAY + 900 * 86400, 1);
      full.ahead(false);
      full.second(DAY - 4000 * 600, 1);
      full.watermark(DAY + 901 * 86400 + SLACK);
      assertThat(full.rollups).hasSize(3);
      assertThat(full.requests)
          .anyMatch(request -> request.endsWith(late ? "10m late" : "10m 1h 1d late"));
    }
  }

  /** A state of a version that emitted them only when no point was left to add. */
  @Test
  void aStateFullOfClosedBucketsMakesRoom() {
    OneSeries full = of("10m", "1h", "1d");
    full.watermark(DAY);
    full.second(DAY + 1, 1);
    SeriesEntry entry = new SeriesEntry(3);
    entry.wrap(full.state);
    PointSummary point = new PointSummary();
    point.add(1);
    for (int i = 255; i > 0; i--) {
      entry.open(0, DAY - i * 600);
      entry.save(0, point);
      entry.close(0);
    }
    full.state = entry.array();
    full.watermark(DAY + 2 * 86400);
    assertThat(full.rollups).hasSize(255 + 3);
    assertThat(full.state).isNull();
  }

  /** A TSD decides by the cells' timestamps which of the two it shows: 1 or 1065353216. */
  @Test
  void anIntegerAndAFloatWithTheSameBytesAreLeftToRepair() {
    series.watermark(DAY);
    int bits = Float.floatToRawIntBits(1);
    series.add((DAY + 1) * 1000L, PointColumn.flags(false, false, 4), bits);
    series.add((DAY + 1) * 1000L, PointColumn.flags(false, true, 4), bits);
    series.add((DAY + HOUR) * 1000L, PointColumn.flags(true, true, 8), 7);
    series.add((DAY + HOUR) * 1000L, PointColumn.flags(false, false, 8), 7);
    series.watermark(DAY + 2 * 86400);
    assertThat(series.rollups).isEmpty();
    assertThat(series.dirty).containsOnly(RequestReason.DUPLICATE).hasSize(5);
  }

  /**
   * Shuffled within the slack, with rewrites, in every second round by the messages' times or
   * without any: every bucket is exact or requested.
   */
  @Test
  void drawnPointsGiveTheSumsOfTheirOrder() {
    Random random = Seed.random();
    for (int round = 0; round < 50; round++) {
      OneSeries drawn =
          switch (round % 3) {
            case 0 -> of("10m", "1h", "1d");
            case 1 -> of("10m", "1h", "6h", "1d");
            default -> of("6h");
          };
      drawn(random, drawn, round % 5 == 4, round % 2 == 0);
    }
  }

  private static void drawn(
      Random random, OneSeries drawn, boolean withLate, boolean withWatermark) {
    int flags = PointColumn.flags(true, true, 8);
    Map<Long, Double> last = new TreeMap<>();
    drawn.watermark(DAY);
    long now = DAY * 1000L;
    int added = 0;
    while (now < (DAY + 2 * 86400) * 1000L) {
      now += random.nextInt(60_000);
      if (withWatermark) {
        drawn.watermark(now / 1000);
      } else if (random.nextInt(100) == 0) {
        switch (random.nextInt(3)) {
          case 0 -> drawn.message(now / 1000);
          case 1 -> drawn.noMessageTime();
          default -> drawn.gap(DAY + 40 * 86400);
        }
      }
      long behind =
          withLate && random.nextInt(50) == 0
              ? random.nextInt(7_200_000)
              : random.nextInt(SLACK * 1000 - 1000);
      long time = Math.max(DAY * 1000L, now - behind);
      double value = random.nextGaussian() * Math.pow(10, random.nextInt(12));
      drawn.add(time, flags, Double.doubleToRawLongBits(value));
      last.put(time, value);
      added++;
    }
    drawn.watermark(DAY + 5 * 86400);
    Map<String, List<Object>> expected = new TreeMap<>();
    for (int i = 0; i < drawn.intervals.size(); i++) {
      Map<Integer, PointSummary> buckets = new TreeMap<>();
      int interval = i;
      last.forEach(
          (time, value) ->
              buckets
                  .computeIfAbsent(
                      drawn.intervals.start(interval, (int) (time / 1000)),
                      start -> new PointSummary())
                  .add(value));
      buckets.forEach(
          (start, sum) ->
              expected.put(
                  drawn.intervals.name(interval) + " " + start,
                  List.of(sum.sum(), sum.min(), sum.max(), sum.count(), "m", "a")));
    }
    int late = drawn.outcomes.getOrDefault(Outcome.LATE, 0);
    assertThat(drawn.aggregated + late + drawn.outcomes.getOrDefault(Outcome.REPLACED, 0))
        .isEqualTo(added);
    assertThat(drawn.held()).isZero();
    assertThat(drawn.state).isNull();
    assertThat(late > 0).isEqualTo(withLate);
    assertThat(drawn.closed).isEqualTo(drawn.emitted + drawn.dirty.size());
    if (late == 0) {
      assertThat(drawn.rollups).isEqualTo(expected);
      assertThat(drawn.requests).isEmpty();
      return;
    }
    // What was not emitted, or emitted before a late point came, is requested.
    expected.entrySet().removeAll(drawn.rollups.entrySet());
    assertThat(expected.keySet()).isNotEmpty().allMatch(bucket -> isRequested(bucket, drawn));
  }

  private static boolean isRequested(String bucket, OneSeries series) {
    List<String> parts = List.of(bucket.split(" "));
    int start = Integer.parseInt(parts.get(1));
    int width =
        switch (parts.get(0)) {
          case "1d" -> 24 * HOUR;
          case "6h" -> 6 * HOUR;
          default -> HOUR;
        };
    return series.requests.stream()
        .map(request -> List.of(request.split(" ")))
        .filter(request -> request.contains(parts.get(0)))
        .mapToInt(request -> Integer.parseInt(request.get(0)))
        .anyMatch(hour -> hour - hour % width == start - start % width);
  }
}
