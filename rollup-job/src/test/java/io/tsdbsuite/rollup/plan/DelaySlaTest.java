package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formula and the table of docs/queries.md. */
class DelaySlaTest {
  private static final long TO = time("2026-11-20T00:00:00Z");
  private static final long DAY = 86400;
  private static final long HOUR = 3600;

  private static long time(String instant) {
    return Instant.parse(instant).getEpochSecond();
  }

  private static RollupIntervals hourWith(String delaySla) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
             "intervals": [
              {"table": "t0", "preAggregationTable": "p0", "interval": "1m", "rowSpan": "1h",
               "defaultInterval": true},
              {"table": "t1", "preAggregationTable": "p1", "interval": "10m", "rowSpan": "1d"},
              {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d",
               "delaySla": "%s"}]}
            """
                .formatted(delaySla));
    return new RollupIntervals(Stream.of("10m", "1h").map(config::interval).toList());
  }

  private static DelaySla of(String delaySla, String now, long from, Duration taken) {
    Clock clock = Clock.fixed(Instant.parse(now), ZoneOffset.UTC);
    List<DelaySla> all = DelaySla.of(hourWith(delaySla), from, TO, HoldBack.of(HOUR, clock), taken);
    assertThat(all).extracting(DelaySla::interval).containsExactly("1h");
    return all.get(0);
  }

  /** Yesterday at 03:00; everything can be read at 07:00. */
  @ParameterizedTest
  @CsvSource({"1h,true", "24h,true", "30h,false", "2d,false", "3d,false"})
  void theNightlyJob(String delaySla, boolean holes) {
    DelaySla night = of(delaySla, "2026-11-20T03:00:00Z", TO - DAY, Duration.ofHours(4));
    assertThat(night.needed()).isEqualTo(Duration.ofHours(23 + 3 + 4));
    assertThat(night.leavesHoles()).isEqualTo(holes);
  }

  @Test
  void thePlanDoesNotKnowHowLongTheRunTakes() {
    DelaySla plan = of("1d", "2026-11-20T03:10:00Z", TO - DAY, Duration.ZERO);
    assertThat(plan)
        .hasToString(
            "24h for 1h; runs like this one need 26h 10m and the time until the last rollup can be"
                + " read");
    assertThat(plan.warning())
        .startsWith("the delaySla of 1h, 24h, must be more than 26h 10m for runs like this one");
  }

  /**
   * A run over days of long ago says nothing about when nightly ones start: as soon as they may.
   */
  @Test
  void historyCountsAsIfItWereNightly() {
    DelaySla history = of("2d", "2027-01-20T03:00:00Z", TO - 30 * DAY, Duration.ZERO);
    assertThat(history.needed()).isEqualTo(Duration.ofHours(23 + 1));
    assertThat(history.leavesHoles()).isFalse();
  }

  @Test
  void aRunEachHourNeedsLess() {
    DelaySla hourly = of("2h", "2026-11-20T01:10:00Z", TO - HOUR, Duration.ofMinutes(10));
    assertThat(hourly.needed()).isEqualTo(Duration.ofMinutes(80));
    assertThat(hourly.leavesHoles()).isFalse();
  }

  @Test
  void withoutAWindowThereIsNothingToSay() {
    assertThat(DelaySla.of(hourWith("1d"), TO, TO, HoldBack.none(), Duration.ZERO)).isEmpty();
  }
}
