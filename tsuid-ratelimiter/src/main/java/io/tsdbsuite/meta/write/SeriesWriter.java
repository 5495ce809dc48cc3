package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.Claim;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;

/**
 * Takes series that are due from the cache, and those that are owed, to HBase. The cache itself is
 * the queue: a series that finds no free place stays due, and is owed there: its next point or the
 * sweep tries again.
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
   * Sends a series that was due with a point a moment ago, unless others were faster. Where there
   * is no place now, it is owed from here on. The points of mode {@code count} are owed by
   * themselves, wherever the series is.
   */
  void due(byte[] tsuid, int now) {
    boolean sent = tryAcquire(now) && sendClaimed(tsuid, now);
    if (!sent && !counting && !cache.owe(tsuid, now)) {
      takeOver(OwedSeries.counter(tsuid.clone(), 0));
    }
  }

  /** Sends a series that the sweep found, if it is still due; false if there is no place now. */
  boolean flush(byte[] tsuid, int now) {
    if (!tryAcquire(now)) {
      return false;
    }
    sendClaimed(tsuid, now);
    return true;
  }

  /** With the place that the caller has taken; false if there was nothing to claim. */
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

  /** Owes a series that is in no cache; once nobody looks at what is owed, it is sent at once. */
  void takeOver(OwedSeries series) {
    if (!completion.isFinished()) {
      retryQueue.addOrLose(series);
      if (!completion.isFinished()) {
        return;
      }
      // The last look at what is owed may have been before; whoever takes it out, sends it.
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
   * Sends series that are owed until there is no place.
   *
   * @return false if there was none for one of them
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

  /** Sends a series for which the caller has taken a place. */
  void sendWithPlace(OwedSeries series) {
    send(SeriesWrite.of(series, createTsMeta), series);
  }

  private void send(SeriesWrite write, Object source) {
    PendingWrites.PendingWrite pending = pendingWrites.start(write, source);
    runner
        .run(write)
        .addCallbacks(
            outcome -> {
              pendingWrites.ended(pending, outcome, null);
              return null;
            },
            (Exception e) -> {
              pendingWrites.ended(pending, null, e);
              return null;
            });
  }

  /** Writes without an answer, overdue ones included. */
  int unanswered() {
    return pendingWrites.size();
  }

  /** Frees the places of writes that have no answer for long. */
  void expire(int now) {
    pendingWrites.expire(now);
  }

  /** Places for series on their way. */
  InFlightLimit inFlightLimit() {
    return inFlightLimit;
  }
}
