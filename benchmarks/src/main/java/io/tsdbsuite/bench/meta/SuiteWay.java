package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import io.tsdbsuite.meta.cache.CacheSettings;
import io.tsdbsuite.meta.cache.Claim;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.cache.TouchResult;
import io.tsdbsuite.meta.write.WriteJitter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The suite's cache; every claimed write completes at once, until the series' next due time. */
final class SuiteWay implements Way {
  private final SeriesCache cache;
  private final Ticker clock;
  private final long start;
  private final WriteJitter jitter = new WriteJitter(WayKind.TTL_SECONDS);
  private final LongAdder writes = new LongAdder();

  SuiteWay(long maxSeries, boolean counting, Ticker clock) {
    // An evicted series with unwritten points costs a write as well.
    this.cache =
        new SeriesCache(
            new CacheSettings(maxSeries, counting, Shape.UID_WIDTH),
            (tsuid, points) -> writes.increment());
    this.clock = clock;
    this.start = clock.read();
  }

  @Override
  public void increment(byte[] tsuid) {
    int now = (int) TimeUnit.NANOSECONDS.toSeconds(clock.read() - start);
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
  public long writes() {
    return writes.sum();
  }

  @Override
  public long misses() {
    return cache.misses();
  }

  @Override
  public long series() {
    return cache.size();
  }

  @Override
  public long memoryBytes() {
    return cache.memoryBytes();
  }
}
