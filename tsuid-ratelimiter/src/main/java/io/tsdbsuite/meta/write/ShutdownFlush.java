package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.SeriesCache;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes all remaining series when the TSD stops, within a time limit, and logs the balance. */
final class ShutdownFlush {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownFlush.class);
  private static final long PAUSE_NANOS = 1_000_000;
  private static final int RETRY_SECONDS = 1;

  private final SeriesCache cache;
  private final boolean counting;
  private final RetryQueue retryQueue;
  private final SeriesWriter writer;
  private final WriteCompletion completion;
  private final Losses losses;
  private final Counters counters;
  private final Clock clock;
  private final int timeout;
  private volatile int deadline;
  private long failuresSeen;
  private int notBefore;

  ShutdownFlush(
      SeriesCache cache,
      boolean counting,
      RetryQueue retryQueue,
      SeriesWriter writer,
      WriteCompletion completion,
      Losses losses,
      Counters counters,
      Clock clock,
      int timeout) {
    this.cache = cache;
    this.counting = counting;
    this.retryQueue = retryQueue;
    this.writer = writer;
    this.completion = completion;
    this.losses = losses;
    this.counters = counters;
    this.clock = clock;
    this.timeout = timeout;
  }

  /** Starts the time limit. */
  void begin() {
    deadline = clock.now() + timeout;
  }

  /** Flushes in the calling thread. */
  void run() {
    failuresSeen = counters.failures.sum();
    cache.drain(this::drained);
    flushQueue();
    completion.finish();
    // Points that came during the line above are in the queue, and no other thread reads it now.
    flushQueue();
    loseQueue();
    log();
  }

  private void drained(byte[] tsuid, long points) {
    while (clock.now() < deadline) {
      if (mayTry() && writer.inFlightLimit().tryAcquire()) {
        writer.sendWithPlace(OwedSeries.removed(tsuid, points, counting));
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    counters.seriesLost.increment();
    counters.pointsLost.add(points);
  }

  private void flushQueue() {
    while (clock.now() < deadline && (retryQueue.size() > 0 || writer.unanswered() > 0)) {
      writer.expire(clock.now());
      if (retryQueue.size() > 0 && mayTry()) {
        writer.sendQueued(clock.now());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** A failing HBase gets one try per second. */
  private boolean mayTry() {
    int now = clock.now();
    long failures = counters.failures.sum();
    if (failures != failuresSeen) {
      failuresSeen = failures;
      notBefore = now + RETRY_SECONDS;
    }
    return now >= notBefore;
  }

  private void loseQueue() {
    long series = 0;
    long points = 0;
    for (Tsuid each : retryQueue.keys()) {
      OwedSeries taken = retryQueue.take(each);
      if (taken != null) {
        series++;
        points += taken.points();
      }
    }
    losses.lose(series, points, "HBase did not take them within " + timeout + " s");
  }

  private void log() {
    long series = counters.seriesLost.sum();
    if (series > 0) {
      LOG.error("{} series were not written to the meta table since the start of the TSD", series);
    }
    if (counting) {
      logPoints();
    } else if (writer.unanswered() > 0) {
      LOG.warn(
          "{} series were on their way to HBase, without an answer, when the TSD ended",
          writer.unanswered());
    }
  }

  private void logPoints() {
    long lost = counters.pointsLost.sum();
    if (lost > 0) {
      LOG.error("{} points are in no counter of the meta table", lost);
    }
    LOG.info(
        "points taken {} = written {} + suppressed {} + lost {} + without an answer {}; of writes"
            + " that may have counted twice {}",
        cache.touches() + counters.late.sum(),
        counters.pointsWritten.sum(),
        counters.pointsSuppressed.sum(),
        lost,
        counters.pointsInFlight.sum(),
        counters.pointsAmbiguous.sum());
  }

  /** Takes a point that came after the cache was closed. */
  void late(byte[] tsuid) {
    counters.late.increment();
    writer.takeOver(OwedSeries.counter(tsuid.clone(), counting ? 1 : 0));
  }
}
