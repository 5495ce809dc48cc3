package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.DueSeries;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;

/**
 * Background maintenance: writes owed series without further points, drops idle series, sends the
 * retry queue, ends the clock hours. One thread at a time.
 */
final class Maintenance {
  private static final int PENDING_EVERY = 10;

  private final SeriesCache cache;
  private final boolean counting;
  private final int ttl;
  private final int sweepSeconds;
  private final SeriesWriter writer;
  private final WriteCompletion completion;
  private final NewSeries newSeries;
  private final Clock clock;
  private int pendingNext;
  private volatile long pending;

  Maintenance(
      MetaCacheConfig config,
      SeriesCache cache,
      SeriesWriter writer,
      WriteCompletion completion,
      NewSeries newSeries,
      Clock clock) {
    this.cache = cache;
    this.counting = config.mode() == Mode.COUNT;
    this.ttl = config.ttlSeconds();
    this.sweepSeconds = config.sweepSeconds();
    this.writer = writer;
    this.completion = completion;
    this.newSeries = newSeries;
    this.clock = clock;
  }

  /**
   * One step, to be called every second.
   *
   * @return false if work is left because the in-flight limit was reached
   */
  boolean tick() {
    int now = clock.now();
    newSeries.tick();
    writer.expire(now);
    Flush flush = new Flush(now);
    int blocks = (int) Math.min(Integer.MAX_VALUE, cache.blocks() / sweepSeconds + 1);
    cache.sweep(blocks, now, now - ttl, flush);
    boolean sent = now < completion.retryNotBefore() || writer.sendQueued(now);
    if (counting && now >= pendingNext) {
      pending = cache.unclaimedPoints();
      pendingNext = now + PENDING_EVERY;
    }
    return flush.allSent && sent;
  }

  /** Points in the cache whose series are not due yet, as of some seconds ago. */
  long pending() {
    return pending;
  }

  private final class Flush implements DueSeries {
    private final int now;
    private boolean allSent = true;

    Flush(int now) {
      this.now = now;
    }

    @Override
    public boolean due(byte[] tsuid) {
      allSent = writer.flush(tsuid, now);
      return allSent;
    }
  }
}
