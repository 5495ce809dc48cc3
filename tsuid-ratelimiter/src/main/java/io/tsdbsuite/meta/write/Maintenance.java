package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.DueSeries;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;

/**
 * What no point does: writes series that are owed and get none any more, drops series that are
 * idle, sends what is owed, ends the hours. One thread at a time.
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
   * One step, meant for every second.
   *
   * @return false if there is more to do for which there was no place
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

  /** Points in the cache that wait for their series to be due, as of some seconds ago. */
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
