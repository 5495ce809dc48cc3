package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Callback;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Elements of one message that are out at the same time, until HBase has answered all of them.
 * Thread-safe.
 *
 * <p>It is the callback of each element's Deferred, so that an element costs no object, and gives
 * their cells back together, so that it costs no lock either.
 */
final class Departure implements Callback<Object, Object> {
  /** More than elements can be out: added to {@link #open} once nobody waits for them. */
  private static final int GIVEN_UP = 1 << 30;

  private final Ticket ticket;
  private final PendingCells pending;
  private final CellIds cells;
  private final int from;
  private final int to;

  /** Elements that are out, and one for the writer itself while it hands them out. */
  private final AtomicInteger open = new AtomicInteger(1);

  private Departure next;

  /**
   * Starts with nothing handed out.
   *
   * @param cells of all elements of the message
   * @param from the first one that {@code pending} has taken in for this departure
   * @param to after the last one
   */
  Departure(Ticket ticket, PendingCells pending, CellIds cells, int from, int to) {
    this.ticket = ticket;
    this.pending = pending;
    this.cells = cells;
    this.from = from;
    this.to = to;
    ticket.depart(this);
  }

  /** The list of a ticket's departures; guarded by the ticket. */
  Departure next() {
    return next;
  }

  void setNext(Departure following) {
    next = following;
  }

  /** One more element is out. */
  void depart() {
    open.incrementAndGet();
  }

  @Override
  public Object call(Object answer) {
    if (answer instanceof Throwable) {
      ticket.failed(StorageFailure.of((Throwable) answer));
    }
    settle();
    // Whatever follows in the Deferred's chain has no use for the failure: it is dealt with.
    return null;
  }

  /** An element, or the handing out, is over. */
  void settle() {
    int left = open.decrementAndGet();
    if (left == 0) {
      pending.leave(cells, from, to);
    }
    if (left == 0 || left == GIVEN_UP) {
      ticket.settle();
    }
  }

  /** Gives the cells back though HBase owes answers. */
  void giveUp() {
    int left = open.getAndAdd(GIVEN_UP);
    if (left > 0 && left < GIVEN_UP) {
      pending.leave(cells, from, to);
    }
  }
}
