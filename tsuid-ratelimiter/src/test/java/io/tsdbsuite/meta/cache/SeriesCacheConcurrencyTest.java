package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writers, evictions, claims, sweeps and a drain at the same time: no point is lost or doubled. */
class SeriesCacheConcurrencyTest {
  private static final int WRITERS = 4;
  private static final int POINTS = 150_000;

  private final AtomicLong removed = new AtomicLong();
  private final AtomicLong drained = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicInteger now = new AtomicInteger(1_000);
  private SeriesCache cache;
  private int ttl;

  @ParameterizedTest
  @CsvSource({
    // seed, series, metrics, maxSeries, ttl
    "1, 20000, 1, 30000, 1000", // one metric, splitting
    "2, 20000, 1, 10000, 1000", // and dropping within blocks
    "3, 3000, 300, 1000, 1000", // small blocks, dropping in groups
    "9, 20000, 10000, 4000, 1000", // of one or two series
    "10, 20000, 2000, 64, 1000", // with a reserve of four series
    "4, 20000, 20, 12000, 1000",
    "5, 4, 1, 30, 1", // everybody at the same few series, which are always due
    "6, 200000, 3, 20000, 1000",
    "7, 5000, 7, 4000, 20",
    "8, 500, 2, 100, 1000",
  })
  void everyPointIsAccountedFor(int seed, int series, int metrics, int maxSeries, int secondsToLive)
      throws Exception {
    ttl = secondsToLive;
    cache =
        new SeriesCache(
            new CacheSettings(maxSeries, true, Tsuids.METRIC_WIDTH),
            (tsuid, points) -> removed.addAndGet(points));
    AtomicLong taken = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
    try {
      List<Future<Void>> all = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        Random random = new Random(Seed.VALUE + seed * 31L + writer);
        all.add(
            threads.submit(
                (Callable<Void>)
                    () -> {
                      taken.addAndGet(write(random, series, metrics));
                      return null;
                    }));
      }
      all.add(
          threads.submit(
              () -> {
                sweepUntil(() -> cache.touches() >= POINTS);
                // The writers are still at it: the drain races with touches.
                cache.drain((tsuid, points) -> drained.addAndGet(points));
                return null;
              }));
      for (Future<Void> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(removed.get() + drained.get() + settled.get()).isEqualTo(taken.get());
    assertThat(cache.touches()).isEqualTo(taken.get());
    assertThat(cache.size()).isZero();
    assertThat(cache.blocks()).isZero();
    assertThat(cache.unclaimedPoints()).isZero();
    assertThat(refused.get()).isEqualTo(WRITERS);
    assertThat(settled.get()).isPositive();
  }

  /** Until the cache is closed; returns the points taken. */
  private long write(Random random, int series, int metrics) {
    List<Claim> flying = new ArrayList<>();
    long taken = 0;
    for (int i = 0; ; i++) {
      int number = random.nextInt(series);
      number = random.nextBoolean() ? number : number / 10;
      byte[] tsuid = Tsuids.of(number % metrics, number);
      TouchResult answer = cache.touch(tsuid, now.get());
      if (answer == TouchResult.CLOSED) {
        refused.incrementAndGet();
        break;
      }
      taken++;
      if (answer == TouchResult.DUE) {
        Claim claim = cache.claim(tsuid, now.get());
        if (claim != null) {
          flying.add(claim);
        }
      }
      if (flying.size() > 20) {
        land(flying.remove(random.nextInt(flying.size())), random);
      }
      if (i % 100 == 0) {
        now.incrementAndGet();
      }
    }
    for (Claim claim : flying) {
      land(claim, random);
    }
    return taken;
  }

  private void land(Claim claim, Random random) {
    if (random.nextInt(4) > 0) {
      settled.addAndGet(claim.points());
      cache.settle(claim, now.get() + random.nextInt(ttl), true, true);
    } else if (!cache.giveBack(claim, now.get() + random.nextInt(1 + ttl / 20))) {
      settled.addAndGet(claim.points());
    }
  }

  private void sweepUntil(Callable<Boolean> done) throws Exception {
    while (!done.call()) {
      cache.sweep(
          7,
          now.get(),
          now.get() - 300,
          tsuid -> {
            Claim claim = cache.claim(tsuid, now.get());
            if (claim != null) {
              settled.addAndGet(claim.points());
              cache.settle(claim, now.get() + 100, true, true);
            }
            return claim == null || claim.points() % 8 != 0;
          });
    }
  }
}
