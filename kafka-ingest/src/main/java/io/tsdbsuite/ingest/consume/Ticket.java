package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Callback;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One message that left for HBase, until all of its parts are answered. Thread-safe.
 *
 * <p>It is the callback of each part's Deferred, so that a part costs no object.
 */
final class Ticket implements Callback<Object, Object> {
  private final Task task;
  private final Settlement settlement;
  private final int points;

  /** Parts that are out, and one for the writer itself while it hands them out. */
  private final AtomicInteger open = new AtomicInteger(1);

  /** Written by the writer's thread alone, before its own last {@link #settle}. */
  private int badPoints;

  private StorageFailure failure;

  Ticket(Task task, int points, Settlement settlement) {
    this.task = task;
    this.points = points;
    this.settlement = settlement;
  }

  Task task() {
    return task;
  }

  /** All values of the message, what it takes of the window. */
  int points() {
    return points;
  }

  /** The part of the values that HBase took. */
  int storedPoints() {
    return points - badPoints;
  }

  /** One more part is out. */
  void depart() {
    open.incrementAndGet();
  }

  /** A part that is no matter for HBase; only the writer's thread calls this. */
  void bad(int badPointsMore) {
    badPoints += badPointsMore;
  }

  @Override
  public Object call(Object answer) {
    if (answer instanceof Throwable) {
      failed(StorageFailure.of((Throwable) answer));
    } else {
      settle();
    }
    // Whatever follows in the Deferred's chain has no use for the failure: it is dealt with.
    return null;
  }

  /** A part failed. */
  void failed(StorageFailure cause) {
    synchronized (this) {
      // Of several failures an outage tells most: all wait for its end.
      if (failure == null || cause.isOutage()) {
        failure = cause;
      }
    }
    settle();
  }

  /** A part, or the handing out, is over. */
  void settle() {
    if (open.decrementAndGet() == 0) {
      settlement.settled(this);
    }
  }

  /** What went wrong; null if all parts are stored. Of use once it is settled. */
  synchronized StorageFailure failure() {
    return failure;
  }
}
