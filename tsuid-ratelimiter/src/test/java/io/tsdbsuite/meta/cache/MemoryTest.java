package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it takes of the heap, and whether it says so. */
class MemoryTest {
  @ParameterizedTest
  @CsvSource({
    // series, metrics, counting, bytes per series at most
    "400000, 400, true, 36",
    "400000, 400, false, 26",
    "200000, 10000, true, 60",
  })
  void isSmallAndKnown(int series, int metrics, boolean counting, int most)
      throws InterruptedException {
    CacheSettings settings = new CacheSettings(series, counting, Tsuids.METRIC_WIDTH);
    // What the first one and earlier tests leave for the collector is not measured.
    assertThat(filled(settings, series, metrics).size()).isEqualTo(series);
    long before = usedHeap();
    SeriesCache cache = filled(settings, series, metrics);
    double real = (double) (usedHeap() - before) / series;
    assertThat(cache.size()).isEqualTo(series);
    assertThat(real).isLessThanOrEqualTo(most);
    assertThat((double) cache.memoryBytes() / series).isCloseTo(real, within(0.15 * real));
  }

  /** By a thread that ends, since a living one may keep what it had of caches that are gone. */
  private static SeriesCache filled(CacheSettings settings, int series, int metrics)
      throws InterruptedException {
    SeriesCache cache = new SeriesCache(settings, (tsuid, points) -> {});
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < series; i++) {
                cache.touch(Tsuids.of(i % metrics, i / metrics), 0);
              }
            });
    thread.start();
    thread.join();
    return cache;
  }

  /**
   * The serial collector leaves some garbage in place, and compacts all of it every fourth time.
   */
  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 8; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
