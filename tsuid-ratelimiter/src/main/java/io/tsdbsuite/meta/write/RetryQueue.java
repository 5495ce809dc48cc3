package io.tsdbsuite.meta.write;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Series that left the cache before their write was acknowledged: merged per series, bounded in
 * number. Thread-safe; {@link #add} locks one bucket of a map.
 */
final class RetryQueue {
  private final int max;
  private final Losses losses;
  private final ConcurrentHashMap<Tsuid, OwedSeries> series = new ConcurrentHashMap<>();
  private final LongAdder points = new LongAdder();

  RetryQueue(int max, Losses losses) {
    this.max = max;
    this.losses = losses;
  }

  /** Adds or merges a series; false if it is not in the queue and the queue is full. */
  boolean add(OwedSeries more) {
    return add(more, series.mappingCount() < max);
  }

  /** Adds a series that is not in the cache; without room for it, it is lost. */
  void addOrLose(OwedSeries more) {
    if (!add(more)) {
      lose(more.points());
    }
  }

  /** Counts a series that found no room as lost. */
  void lose(long pointsOfSeries) {
    losses.lose(1, pointsOfSeries, "max_owed_series series are owed already");
  }

  /** Adds even if the queue is full: for series taken from it a moment ago. */
  void addAgain(OwedSeries more) {
    add(more, true);
  }

  private boolean add(OwedSeries more, boolean room) {
    // Before a taker can see the series, so that the sum is never too low.
    points.add(more.points());
    OwedSeries now =
        series.compute(
            new Tsuid(more.tsuid()),
            (key, old) -> old != null ? old.plus(more) : room ? more : null);
    if (now == null) {
      points.add(-more.points());
    }
    return now != null;
  }

  /** The series in the queue; weakly consistent. */
  Iterable<Tsuid> keys() {
    return series.keySet();
  }

  /** Removes a series; null if it is not in the queue. */
  @Nullable OwedSeries take(Tsuid tsuid) {
    OwedSeries taken = series.remove(tsuid);
    if (taken != null) {
      points.add(-taken.points());
    }
    return taken;
  }

  long size() {
    return series.mappingCount();
  }

  /** Points of all series in it. */
  long points() {
    return points.sum();
  }
}
