package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import io.tsdbsuite.meta.cache.CacheSettings;
import io.tsdbsuite.meta.cache.Claim;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.cache.TouchResult;
import io.tsdbsuite.meta.write.WriteJitter;

/** The suite's cache; every claimed write completes at once, until the series' next due time. */
final class SuiteWay extends MetaWay {
  private final SeriesCache cache;
  private final WriteJitter jitter = new WriteJitter(TTL_SECONDS);

  SuiteWay(long maxSeries, boolean counting, Ticker clock) {
    super(clock);
    // An evicted series with unwritten points costs a write as well.
    this.cache =
        new SeriesCache(
            new CacheSettings(maxSeries, counting, Shape.UID_WIDTH),
            (tsuid, points) -> writes.increment());
  }

  @Override
  void increment(byte[] tsuid) {
    int now = now();
    if (cache.touch(tsuid, now) == TouchResult.DUE) {
      write(tsuid, now);
    }
  }

  private void write(byte[] tsuid, int now) {
    Claim claim = cache.claim(tsuid, now);
    if (claim != null) {
      writes.increment();
      cache.settle(claim, jitter.next(tsuid, now), true, true);
    }
  }

  @Override
  long misses() {
    return cache.misses();
  }

  @Override
  long series() {
    return cache.size();
  }

  @Override
  long memoryBytes() {
    return cache.memoryBytes();
  }
}
