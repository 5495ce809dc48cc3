package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.Claim;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies HBase's answer to a series and its points: settled, retried or lost. */
final class WriteCompletion {
  private static final Logger LOG = LoggerFactory.getLogger(WriteCompletion.class);

  private final SeriesCache cache;
  private final RetryQueue retryQueue;
  private final NewSeries newSeries;
  private final Counters counters;
  private final Losses losses;
  private final Clock clock;
  private final WriteJitter jitter;
  private final Backoff backoff;
  private final Lag lag;
  private final int roundSeconds;
  private final LimitedLog failures;
  private final LimitedLog badCounters;
  private volatile int retryNotBefore;
  private volatile boolean finished;

  WriteCompletion(
      MetaCacheConfig config,
      SeriesCache cache,
      RetryQueue retryQueue,
      NewSeries newSeries,
      Counters counters,
      Losses losses,
      Clock clock,
      Lag lag) {
    this.cache = cache;
    this.retryQueue = retryQueue;
    this.newSeries = newSeries;
    this.counters = counters;
    this.clock = clock;
    this.jitter = new WriteJitter(config.ttlSeconds());
    this.backoff = new Backoff(config.backoffSeconds());
    this.lag = lag;
    this.roundSeconds = config.sweepSeconds();
    this.failures = new LimitedLog(LOG, clock);
    this.badCounters = new LimitedLog(LOG, clock);
    this.losses = losses;
  }

  /** HBase has acknowledged the counter, or the limit for new series has suppressed it. */
  HBaseAnswer ended(SeriesWrite write, Object source, Outcome outcome) {
    int now = clock.now();
    if (outcome == Outcome.SUPPRESSED) {
      newSeries.suppressed(write.tsuid);
      if (!giveBack(source, NewSeriesGuard.retryAt(write.tsuid, now))) {
        counters.pointsSuppressed.add(write.points);
      }
      return HBaseAnswer.TAKEN;
    }
    if (outcome.wroteCounter()) {
      counters.writes.increment();
      counters.pointsWritten.add(write.points);
    }
    boolean known = true;
    int dueAt = jitter.next(write.tsuid, now);
    if (outcome.tsMetaFailure() != null) {
      note(write, now, WriteFailure.of(outcome.tsMetaFailure()), "TSMeta");
      // If the queue is full, the series stays unknown in the cache, so its next write tries again.
      known = !finished && remember(OwedSeries.tsMeta(write.tsuid), source);
      dueAt = known ? dueAt : backoff.retryAt(write.tsuid, now);
    }
    if (source instanceof Claim) {
      cache.settle((Claim) source, dueAt, known, outcome.counted());
    }
    if (!known && !cache.owe(write.tsuid, dueAt)) {
      losses.lose(1, 0, "its TSMeta failed, and max_owed_series series are owed already");
    }
    if (outcome.tsMetaFailure() != null) {
      return HBaseAnswer.REFUSED;
    }
    if (outcome.storedTsMeta()) {
      counters.tsMetas.increment();
    }
    backoff.succeeded();
    return HBaseAnswer.TAKEN;
  }

  /** The counter is not written, or the answer is unknown. */
  HBaseAnswer failed(SeriesWrite write, Object source, Exception thrown) {
    int now = clock.now();
    WriteFailure failure = WriteFailure.of(thrown);
    if (failure.isBadCounter()) {
      counters.failures.increment();
      badCounters.error(
          "series " + Tsuid.hex(write.tsuid) + " cannot be written: " + failure.describe());
      if (!giveBack(source, jitter.next(write.tsuid, now))) {
        losses.lose(1, write.points, "its ts_ctr is no counter");
      }
      return HBaseAnswer.NONE;
    }
    note(write, now, failure, "ts_ctr");
    if (failure.isAmbiguous() && write.points > 0) {
      counters.ambiguous.increment();
      counters.pointsAmbiguous.add(write.points);
    }
    if (!giveBack(source, backoff.retryAt(write.tsuid, now))) {
      putOff(write, source);
    }
    return HBaseAnswer.REFUSED;
  }

  private void putOff(SeriesWrite write, Object source) {
    if (finished) {
      losses.lose(1, write.points, "HBase did not take it before the TSD ended");
    } else if (!remember(owing(write, source), source)) {
      retryQueue.lose(write.points);
    }
  }

  private static OwedSeries owing(SeriesWrite write, Object source) {
    if (source instanceof OwedSeries) {
      return (OwedSeries) source;
    }
    return write.writesCounter
        ? OwedSeries.counter(write.tsuid, write.points)
        : OwedSeries.tsMeta(write.tsuid);
  }

  /** A series that came from the retry queue returns to it even if it is full. */
  private boolean remember(OwedSeries series, Object source) {
    if (source instanceof OwedSeries) {
      retryQueue.addAgain(series);
      return true;
    }
    return retryQueue.add(series);
  }

  /** No answer within the time-out; the write may still be applied. */
  void overdue(SeriesWrite write, int now, int age) {
    counters.overdue.increment();
    lag.behind(now, now + 2 * roundSeconds);
    failures.warn(
        "the write of series " + Tsuid.hex(write.tsuid) + " has no answer for " + age + " s");
  }

  /** An exception while the answer was applied; the write is lost. */
  void broken(SeriesWrite write, Throwable e) {
    counters.errors.increment();
    failures.error("the answer for series " + Tsuid.hex(write.tsuid) + " was not understood", e);
    losses.lose(1, write.points, "an error in tsuid-ratelimiter");
  }

  /** Returns the claim; whether the cache still has the series, and so its points. */
  private boolean giveBack(Object source, int dueAt) {
    return source instanceof Claim && cache.giveBack((Claim) source, dueAt);
  }

  private void note(SeriesWrite write, int now, WriteFailure failure, String what) {
    counters.failures.increment();
    counters.retries.increment();
    backoff.failed(now);
    int wait = backoff.seconds();
    retryNotBefore = now + wait;
    lag.behind(now, now + 2 * (wait + roundSeconds));
    failures.warn(
        what
            + " of series "
            + Tsuid.hex(write.tsuid)
            + " is not written, it is tried again after "
            + wait
            + " s or more: "
            + failure.describe());
  }

  /** Earliest second of the next pass over the retry queue. */
  int retryNotBefore() {
    return retryNotBefore;
  }

  /** Ends retries: from now on a failed write is lost. */
  void finish() {
    finished = true;
  }

  /** Whether retries have ended. */
  boolean isFinished() {
    return finished;
  }
}
