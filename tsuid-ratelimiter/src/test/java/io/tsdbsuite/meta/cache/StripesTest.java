package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Blocks are split when a metric grows, and dropped when they are empty. */
class StripesTest {
  private static final int LARGEST = 256;

  private long removed;

  private SeriesCache cache(long maxSeries) {
    return new SeriesCache(
        new CacheSettings(maxSeries, true, Tsuids.METRIC_WIDTH),
        (tsuid, points) -> removed += points);
  }

  private static void touchAll(SeriesCache cache, int metric, int series, int now) {
    for (int i = 0; i < series; i++) {
      cache.touch(Tsuids.of(metric, i), now);
    }
  }

  private static void settleAll(SeriesCache cache, int metric, int series, int now, int dueAt) {
    for (int i = 0; i < series; i++) {
      Claim claim = cache.claim(Tsuids.of(metric, i), now);
      if (claim != null) {
        cache.settle(claim, dueAt, true, true);
      }
    }
  }

  @Test
  void aSmallMetricHasOneBlock() {
    SeriesCache cache = cache(100_000);
    touchAll(cache, 1, LARGEST, 0);
    assertThat(cache.blocks()).isEqualTo(1);
    touchAll(cache, 1, LARGEST + 1, 0);
    assertThat(cache.blocks()).isEqualTo(2);
  }

  @Test
  void aLargeMetricHasManyAndKeepsAll() {
    SeriesCache cache = cache(200_000);
    int series = 100_000;
    touchAll(cache, 1, series, 0);
    assertThat(cache.size()).isEqualTo(series);
    assertThat(cache.misses()).isEqualTo(series);
    assertThat(cache.blocks()).isBetween(series / 256L, series / 80L);
    settleAll(cache, 1, series, 0, 100);
    touchAll(cache, 1, series, 1);
    assertThat(cache.misses()).isEqualTo(series);
    assertThat(cache.unclaimedPoints()).isEqualTo(series);
    assertThat(removed).isZero();
  }

  @Test
  void claimsAndMarksOutliveSplits() {
    SeriesCache cache = cache(100_000);
    byte[] first = Tsuids.of(1, 0);
    byte[] second = Tsuids.of(1, 1);
    cache.touch(first, 0);
    cache.settle(cache.claim(first, 0), 50, true, false);
    cache.touch(second, 0);
    final Claim inFlight = cache.claim(second, 0);
    touchAll(cache, 1, 50_000, 1);
    assertThat(cache.claim(second, 2)).isNull();
    assertThat(cache.giveBack(inFlight, 3)).isTrue();
    assertThat(cache.claim(second, 2)).isNull();
    assertThat(cache.claim(second, 3).points()).isEqualTo(2);
    assertThat(cache.claim(first, 49)).isNull();
    Claim again = cache.claim(first, 50);
    assertThat(again.known()).isTrue();
    assertThat(again.counted()).isFalse();
    assertThat(again.points()).isEqualTo(1);
  }

  @Test
  void aMetricThatBecameSmallKeepsWhatIsUsed() {
    SeriesCache cache = cache(200_000);
    int series = 50_000;
    touchAll(cache, 1, series, 0);
    settleAll(cache, 1, series, 0, 10);
    int few = 300;
    int later = 1_000;
    touchAll(cache, 1, few, later);
    final long before = cache.blocks();
    // Two rounds: the second changes nothing.
    for (int round = 0; round < 2; round++) {
      boolean end = false;
      while (!end) {
        end = cache.sweep(10, later, later - 100, tsuid -> true);
      }
    }
    assertThat(before).isGreaterThan(200);
    assertThat(cache.size()).isBetween((long) few, few + few / 2L);
    assertThat(cache.blocks()).isLessThanOrEqualTo(before);
    assertThat(cache.memoryBytes()).isLessThan(cache(200_000).memoryBytes() + 80_000);
    assertThat(cache.unclaimedPoints()).isEqualTo(few);
    long misses = cache.misses();
    touchAll(cache, 1, few, later);
    assertThat(cache.misses()).isEqualTo(misses);
  }

  @Test
  void aGoneMetricLeavesNothing() {
    SeriesCache cache = cache(200_000);
    for (int metric = 0; metric < 50; metric++) {
      touchAll(cache, metric, 1_000, 0);
      settleAll(cache, metric, 1_000, 0, 10);
    }
    while (!cache.sweep(10, 1_000, 900, tsuid -> true)) {
      assertThat(cache.size()).isPositive();
    }
    assertThat(cache.size()).isZero();
    assertThat(cache.blocks()).isZero();
    assertThat(removed).isZero();
    assertThat(cache.memoryBytes()).isLessThan(cache(200_000).memoryBytes() + 10_000);
  }

  @Test
  void depthsOfManyMetricsAreKept() {
    StripeDepths depths = new StripeDepths();
    for (int metric = 0; metric < 100_000; metric++) {
      depths.set(metric, 15, 1 + metric % 20);
      assertThat(depths.get(metric, 15)).isEqualTo(1 + metric % 20);
      assertThat(depths.get(metric, 21)).isZero();
    }
    assertThat(depths.get(99_950, 15)).isEqualTo(1 + 99_950 % 20);
    assertThat(depths.get(5, 15)).isEqualTo(6);
    assertThat(depths.memoryBytes() / 100_000).isLessThanOrEqualTo(64);
  }

  @Test
  void aTsuidWithoutTagsIsRefused() {
    SeriesCache cache = cache(100);
    assertThatThrownBy(() -> cache.touch(new byte[3], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "TSUID of 3 bytes: must be longer than the metric's UID, 3 bytes, and no longer than a"
                + " row key, 32767 bytes");
    assertThat(cache.touch(new byte[4], 0)).isEqualTo(TouchResult.DUE);
    assertThat(cache.touch(new byte[32767], 0)).isEqualTo(TouchResult.DUE);
    assertThat(cache.touch(new byte[32767], 0)).isEqualTo(TouchResult.DUE);
    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void allSettingsThatAreWrongAreNamedAtOnce() {
    assertThatThrownBy(() -> new CacheSettings(0, true, 9))
        .hasMessage("maxSeries must be 1 or more, is 0; metricWidth must be 1..8, is 9");
  }
}
