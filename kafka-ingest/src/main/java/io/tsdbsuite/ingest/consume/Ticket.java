package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.concurrent.atomic.AtomicInteger;

/** One message that left for HBase, until all of its parts are answered. Thread-safe. */
final class Ticket {
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

  /** Of its rollup cells; see {@link ElementStore#store}. */
  long cellTimestamp() {
    return Headers.number(task.record().headers(), Headers.FIRST_READ_AT, ElementStore.NOW);
  }

  /** All values of the message, what it takes of the window. */
  int points() {
    return points;
  }

  /** The part of the values that HBase took. */
  int storedPoints() {
    return points - badPoints;
  }

  /** One more part is out: a {@link Departure}, or a dead letter. */
  void depart() {
    open.incrementAndGet();
  }

  /** Values that are no matter for HBase; only the writer's thread calls this. */
  void bad(int badPointsMore) {
    badPoints += badPointsMore;
  }

  /** Something of it failed; the part that did is not over by this. */
  synchronized void failed(StorageFailure cause) {
    // Of several failures an outage tells most: all wait for its end.
    if (failure == null || cause.isOutage()) {
      failure = cause;
    }
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
