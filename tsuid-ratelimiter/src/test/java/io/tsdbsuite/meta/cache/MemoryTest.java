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
  void isSmallAndKnown(int series, int metrics, boolean counting, int most) {
    CacheSettings settings = new CacheSettings(series, counting, Tsuids.METRIC_WIDTH);
    long before = usedHeap();
    SeriesCache cache = new SeriesCache(settings, (tsuid, points) -> {});
    for (int i = 0; i < series; i++) {
      cache.touch(Tsuids.of(i % metrics, i / metrics), 0);
    }
    double real = (double) (usedHeap() - before) / series;
    assertThat(cache.size()).isEqualTo(series);
    assertThat(real).isLessThanOrEqualTo(most);
    assertThat((double) cache.memoryBytes() / series).isCloseTo(real, within(0.15 * real));
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
