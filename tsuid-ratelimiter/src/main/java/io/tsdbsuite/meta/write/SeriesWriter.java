package io.tsdbsuite.meta.write;

import io.tsdbsuite.meta.cache.Claim;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;

/**
 * Takes series that are due from the cache, and those that are owed, to HBase. The cache itself is
 * the queue: a series that finds no place in the window stays due, and is owed there: its next
 * point or the sweep tries again.
 */
final class SeriesWriter {
  private final boolean counting;
  private final boolean createTsMeta;
  private final int roundSeconds;
  private final SeriesCache cache;
  private final Owed owed;
  private final JobRunner runner;
  private final Window window;
  private final Flights flights;
  private final Settlement settlement;
  private final Lag lag;

  SeriesWriter(
      MetaCacheConfig config,
      SeriesCache cache,
      Owed owed,
      JobRunner runner,
      Window window,
      Flights flights,
      Settlement settlement,
      Lag lag) {
    this.counting = config.mode() == Mode.COUNT;
    this.createTsMeta = config.createTsMeta();
    this.roundSeconds = Housekeeping.roundSeconds(config.ttlSeconds());
    this.cache = cache;
    this.owed = owed;
    this.runner = runner;
    this.window = window;
    this.flights = flights;
    this.settlement = settlement;
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
        window.release();
      }
    }
    if (claim != null) {
      send(Job.of(claim, counting, createTsMeta), claim);
    }
    return claim != null;
  }

  /** Owes a series that is in no cache; once nobody looks at what is owed, it is sent at once. */
  void takeOver(OwedSeries series) {
    if (!settlement.isFinished()) {
      settlement.owe(series);
      if (!settlement.isFinished()) {
        return;
      }
      // The last look at what is owed may have been before; whoever takes it out, sends it.
      OwedSeries left = owed.take(new Tsuid(series.tsuid()));
      if (left != null) {
        sendAnyway(left);
      }
      return;
    }
    sendAnyway(series);
  }

  private void sendAnyway(OwedSeries series) {
    window.acquireAnyway();
    sendWithPlace(series);
  }

  /**
   * Sends series that are owed until there is no place.
   *
   * @return false if there was none for one of them
   */
  boolean sendOwed(int now) {
    for (Tsuid each : owed.keys()) {
      if (!tryAcquire(now)) {
        return false;
      }
      OwedSeries taken = owed.take(each);
      if (taken == null) {
        window.release();
      } else {
        sendWithPlace(taken);
      }
    }
    return true;
  }

  private boolean tryAcquire(int now) {
    boolean place = window.tryAcquire();
    if (!place) {
      lag.behind(now, now + 2 * roundSeconds);
    }
    return place;
  }

  /** Sends a series for which the caller has taken a place of the window. */
  void sendWithPlace(OwedSeries series) {
    send(Job.of(series, createTsMeta), series);
  }

  private void send(Job job, Object source) {
    Flights.Flight flight = flights.start(job, source);
    runner
        .run(job)
        .addCallbacks(
            outcome -> {
              flights.ended(flight, outcome, null);
              return null;
            },
            (Exception e) -> {
              flights.ended(flight, null, e);
              return null;
            });
  }

  /** Writes without an answer, overdue ones included. */
  int unanswered() {
    return flights.size();
  }

  /** Frees the places of writes that have no answer for long. */
  void expire(int now) {
    flights.expire(now);
  }

  /** Places for series on their way. */
  Window window() {
    return window;
  }
}
