package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.Claim;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;

/**
 * Sends due series of the cache, and the retry queue, to HBase. The cache itself is the queue: at
 * the in-flight limit a series stays due and owed in the cache, and its next point or the sweep
 * tries again.
 */
final class SeriesWriter {
  private final boolean counting;
  private final boolean createTsMeta;
  private final int roundSeconds;
  private final SeriesCache cache;
  private final RetryQueue retryQueue;
  private final WriteRunner runner;
  private final InFlightLimit inFlightLimit;
  private final PendingWrites pendingWrites;
  private final WriteCompletion completion;
  private final Lag lag;

  SeriesWriter(
      MetaCacheConfig config,
      SeriesCache cache,
      RetryQueue retryQueue,
      WriteRunner runner,
      InFlightLimit inFlightLimit,
      PendingWrites pendingWrites,
      WriteCompletion completion,
      Lag lag) {
    this.counting = config.mode() == Mode.COUNT;
    this.createTsMeta = config.createTsMeta();
    this.roundSeconds = config.sweepSeconds();
    this.cache = cache;
    this.retryQueue = retryQueue;
    this.runner = runner;
    this.inFlightLimit = inFlightLimit;
    this.pendingWrites = pendingWrites;
    this.completion = completion;
    this.lag = lag;
  }

  /**
   * Sends a series that became due with the current point, unless another thread has claimed it. At
   * the in-flight limit the series becomes owed. In mode {@code count} its unclaimed points alone
   * make it owed.
   */
  void due(byte[] tsuid, int now) {
    boolean sent = tryAcquire(now) && sendClaimed(tsuid, now);
    if (!sent && !counting && !cache.owe(tsuid, now)) {
      takeOver(OwedSeries.counter(tsuid.clone(), 0));
    }
  }

  /**
   * Sends a series that the sweep found, if it is still due; returns false at the in-flight limit.
   */
  boolean flush(byte[] tsuid, int now) {
    if (!tryAcquire(now)) {
      return false;
    }
    sendClaimed(tsuid, now);
    return true;
  }

  /**
   * Claims and sends a series. The caller has acquired a place of the in-flight limit; it is
   * released if the series cannot be claimed, and the result is then false.
   */
  private boolean sendClaimed(byte[] tsuid, int now) {
    Claim claim = null;
    try {
      claim = cache.claim(tsuid, now);
    } finally {
      if (claim == null) {
        inFlightLimit.release();
      }
    }
    if (claim != null) {
      send(SeriesWrite.of(claim, counting, createTsMeta), claim);
    }
    return claim != null;
  }

  /**
   * Adds a series that is in no cache to the retry queue; after the last pass over the queue, sends
   * it at once.
   */
  void takeOver(OwedSeries series) {
    if (!completion.isFinished()) {
      retryQueue.addOrLose(series);
      if (!completion.isFinished()) {
        return;
      }
      // The last pass over the queue may have ended before the series was added; the thread that
      // removes the series from the queue sends it.
      OwedSeries left = retryQueue.take(new Tsuid(series.tsuid()));
      if (left != null) {
        sendAnyway(left);
      }
      return;
    }
    sendAnyway(series);
  }

  private void sendAnyway(OwedSeries series) {
    inFlightLimit.acquireAnyway();
    sendWithPlace(series);
  }

  /**
   * Sends the retry queue up to the in-flight limit.
   *
   * @return false if the limit was reached
   */
  boolean sendQueued(int now) {
    for (Tsuid each : retryQueue.keys()) {
      if (!tryAcquire(now)) {
        return false;
      }
      OwedSeries taken = retryQueue.take(each);
      if (taken == null) {
        inFlightLimit.release();
      } else {
        sendWithPlace(taken);
      }
    }
    return true;
  }

  private boolean tryAcquire(int now) {
    boolean place = inFlightLimit.tryAcquire();
    if (!place) {
      lag.behind(now, now + 2 * roundSeconds);
    }
    return place;
  }

  /** Sends a series for which the caller has acquired a place of the in-flight limit. */
  void sendWithPlace(OwedSeries series) {
    send(SeriesWrite.of(series, createTsMeta), series);
  }

  private void send(SeriesWrite write, Object source) {
    PendingWrites.PendingWrite pending = pendingWrites.start(write, source);
    runner
        .run(write)
        .addCallbacks(
            outcome -> {
              pendingWrites.ended(pending, outcome);
              return null;
            },
            (Exception e) -> {
              pendingWrites.failed(pending, e);
              return null;
            });
  }

  /** Number of writes without a response, including overdue writes. */
  int unanswered() {
    return pendingWrites.size();
  }

  /** Frees the places of overdue writes. */
  void expire(int now) {
    pendingWrites.expire(now);
  }

  /** The limit of pending writes. */
  InFlightLimit inFlightLimit() {
    return inFlightLimit;
  }
}
