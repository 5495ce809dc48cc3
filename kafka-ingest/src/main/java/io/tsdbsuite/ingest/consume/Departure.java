package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Callback;
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
  private final Ticket ticket;
  private final PendingCells pending;
  private final long[] ids;
  private final int from;
  private final int to;

  /** Elements that are out, and one for the writer itself while it hands them out. */
  private final AtomicInteger open = new AtomicInteger(1);

  /**
   * Starts with nothing handed out.
   *
   * @param ids of all elements of the message
   * @param from the first one that {@code pending} has taken in for this departure
   * @param to after the last one
   */
  Departure(Ticket ticket, PendingCells pending, long[] ids, int from, int to) {
    this.ticket = ticket;
    this.pending = pending;
    this.ids = ids;
    this.from = from;
    this.to = to;
    ticket.depart();
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
    if (open.decrementAndGet() == 0) {
      pending.leave(ids, from, to);
      ticket.settle();
    }
  }
}
