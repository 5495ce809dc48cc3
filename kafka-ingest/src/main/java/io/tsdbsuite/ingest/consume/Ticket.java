package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.ElementSink;
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

  /** As the points. */
  private int deletions;

  /** As the points. */
  private boolean abandoned;

  private StorageFailure failure;
  private Departure departures;
  private boolean over;

  Ticket(Task task, int points, Settlement settlement) {
    this.task = task;
    this.points = points;
    this.settlement = settlement;
  }

  Task task() {
    return task;
  }

  /** Of its rollup cells; see {@link ElementSink#store}. */
  long cellTimestamp() {
    return Headers.number(task.record().headers(), Headers.FIRST_READ_AT, ElementSink.NOW);
  }

  /** All values of the message, what it takes of the window. */
  int points() {
    return points;
  }

  /** The part of the values that HBase took. */
  int storedPoints() {
    return points - badPoints - deletions;
  }

  /** Rollups that were taken back. */
  int deletions() {
    return deletions;
  }

  /** An element is a rollup that is taken back; only the writer's thread calls this. */
  void deletion() {
    deletions++;
  }

  /** One more part is out: a {@link Departure}, or a dead letter. */
  void depart() {
    open.incrementAndGet();
  }

  /** One more part is out, which {@link #giveUp} gives up as well. */
  synchronized void depart(Departure departure) {
    open.incrementAndGet();
    departure.setNext(departures);
    departures = departure;
    if (over) {
      departure.giveUp();
    }
  }

  /** Ends the message, whatever became of it; false when it has been ended before. */
  synchronized boolean end() {
    boolean first = !over;
    over = true;
    return first;
  }

  synchronized boolean isOver() {
    return over;
  }

  /**
   * Ends the message though HBase owes answers for it, and gives its cells back. Answers that come
   * later mean nothing. False when it has been ended before.
   */
  synchronized boolean giveUp() {
    if (!end()) {
      return false;
    }
    for (Departure each = departures; each != null; each = each.next()) {
      each.giveUp();
    }
    return true;
  }

  /** Values that are no matter for HBase; only the writer's thread calls this. */
  void bad(int badPointsMore) {
    badPoints += badPointsMore;
  }

  /**
   * The rest of it stays here, since its partition was given up or has failed meanwhile: all of it
   * is read again. Only the writer's thread calls this.
   */
  void abandon() {
    abandoned = true;
  }

  /** Whether a part of it was not handed out. Of use once it is settled. */
  boolean isAbandoned() {
    return abandoned;
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
