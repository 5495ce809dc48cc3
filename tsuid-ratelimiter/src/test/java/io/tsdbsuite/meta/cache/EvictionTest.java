package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which series stay when not all can. */
class EvictionTest {
  private static final int SERIES = 60_000;
  private static final int LARGEST_BLOCK = 256;
  private static final int ROUND_SECONDS = 60;

  private SeriesCache cache;
  private int unclaimable;

  private void cacheOf(int maxSeries) {
    cache = new SeriesCache(new CacheSettings(maxSeries, true, Tsuids.METRIC_WIDTH), (t, p) -> {});
  }

  private void touch(int metric, int series, int now) {
    byte[] tsuid = Tsuids.of(metric, series);
    if (cache.touch(tsuid, now) == TouchResult.DUE) {
      Claim claim = cache.claim(tsuid, now);
      if (claim == null) {
        unclaimable++;
      } else {
        cache.settle(claim, now + 3600, true, true);
      }
    }
  }

  /** Every series once, in order; returns the misses. */
  private long round(int number, int firstMetric, int metrics) {
    long before = cache.misses();
    for (int i = 0; i < SERIES; i++) {
      int now = number * ROUND_SECONDS + (int) ((long) ROUND_SECONDS * i / SERIES);
      touch(firstMetric + i % metrics, i / metrics, now);
    }
    return cache.misses() - before;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 1200, 6000, 60_000})
  void whatFitsStays(int metrics) {
    cacheOf(SERIES);
    assertThat(round(0, 0, metrics)).isEqualTo(SERIES);
    for (int number = 1; number < 4; number++) {
      assertThat(round(number, 0, metrics)).isZero();
    }
    assertThat(cache.size()).isEqualTo(SERIES);
    assertThat(cache.evictions()).isZero();
    assertThat(unclaimable).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    // metrics, share of misses at most
    "1, 0.26",
    "60, 0.26",
    "1200, 0.26",
    "6000, 0.26",
    "30000, 0.26",
  })
  void aFifthTooManyMissesFew(int metrics, double most) {
    int maxSeries = SERIES * 10 / 12;
    cacheOf(maxSeries);
    long misses = 0;
    for (int number = 0; number < 12; number++) {
      long missed = round(number, 0, metrics);
      misses += number < 4 ? 0 : missed;
      assertThat(cache.size()).isLessThanOrEqualTo(maxSeries + LARGEST_BLOCK);
    }
    assertThat(misses / 8.0 / SERIES).isLessThan(most);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1_000, 10_000, 60_000})
  void frequentOnesStayAsWithAnLruOfSingleSeries(int metrics) {
    int maxSeries = SERIES / 10;
    cacheOf(maxSeries);
    Map<Integer, Boolean> lru =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > maxSeries;
          }
        };
    SplittableRandom random = new SplittableRandom(Seed.VALUE);
    double[] upTo = new double[SERIES];
    double sum = 0;
    for (int i = 0; i < SERIES; i++) {
      sum += Math.pow(i + 1, -0.99);
      upTo[i] = sum;
    }
    int points = Seed.times(8, 20) * SERIES;
    long lruMisses = 0;
    long misses = 0;
    for (int i = 0; i < points; i++) {
      if (i == points / 2) {
        lruMisses = 0;
        misses = cache.misses();
      }
      int rank = Arrays.binarySearch(upTo, random.nextDouble() * sum);
      rank = Math.min(rank < 0 ? ~rank : rank, SERIES - 1);
      // Spreads ranks over series: 60,000 and 7,919 have no common divisor.
      int series = (int) (rank * 7919L % SERIES);
      touch(series % metrics, series / metrics, i / 2000);
      lruMisses += lru.put(series, true) == null ? 1 : 0;
    }
    assertThat(cache.misses() - misses).isLessThan(lruMisses);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void newMetricsGetTheRoomOfThoseThatEnded(int metrics) {
    cacheOf(SERIES);
    for (int number = 0; number < 5; number++) {
      round(number, 0, metrics);
    }
    long misses = SERIES;
    int number = 5;
    while (misses > SERIES / 50 && number < 30) {
      misses = round(number++, 1000, metrics);
    }
    assertThat(number).isLessThan(5 + 12);
  }

  @Test
  void whoIsInFlightIsNotDroppedForAnother() {
    int maxSeries = 1_000;
    cacheOf(maxSeries);
    Claim[] claims = new Claim[100];
    for (int i = 0; i < claims.length; i++) {
      byte[] tsuid = Tsuids.of(1, i);
      cache.touch(tsuid, 0);
      claims[i] = cache.claim(tsuid, 0);
    }
    for (int i = 0; i < 1_500; i++) {
      cache.touch(Tsuids.of(1, i), 1);
    }
    int here = 0;
    for (Claim claim : claims) {
      here += cache.giveBack(claim, 2) ? 1 : 0;
    }
    assertThat(here).isEqualTo(claims.length);
  }

  /** Nothing can be dropped within a block, and Caffeine's weights lag behind the sizes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 40, 1_000})
  void blocksGoWhenAllSeriesAreInFlight(int metrics) {
    int maxSeries = 1_000;
    cacheOf(maxSeries);
    for (int i = 0; i < 10 * maxSeries; i++) {
      byte[] tsuid = Tsuids.of(i % metrics, i / metrics);
      cache.touch(tsuid, 0);
      cache.claim(tsuid, 0);
      assertThat(cache.size()).isLessThanOrEqualTo(maxSeries + maxSeries / 16);
    }
    assertThat(cache.size()).isGreaterThan(maxSeries / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 20, 300})
  void anySizeWorks(int maxSeries) {
    cacheOf(maxSeries);
    for (int i = 0; i < 20_000; i++) {
      int number = i * 31 % (2 * maxSeries + 1);
      touch(number % 3, number, i / 10);
      assertThat(cache.size()).isLessThanOrEqualTo(maxSeries + maxSeries / 16);
    }
    assertThat(cache.size()).isPositive();
  }
}
