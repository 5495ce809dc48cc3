package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Callback;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.RepairResult;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Elements of one message that are written concurrently, until HBase has answered all of them.
 * Thread-safe.
 *
 * <p>One object is the callback of all elements' Deferreds and releases their cells together, so an
 * element costs neither an object nor a lock.
 */
final class InFlightElements implements Callback<Object, Object> {
  /** Added to {@link #pending} on expiry; larger than any number of elements. */
  private static final int EXPIRED = 1 << 30;

  private final InFlightMessage message;
  private final PendingCells pendingCells;
  private final CellIds cells;
  private final int from;
  private final int to;

  /** Elements without an answer, plus one for the writing thread while it adds elements. */
  private final AtomicInteger pending = new AtomicInteger(1);

  private @Nullable InFlightElements next;

  /**
   * Adds itself to the message, without elements.
   *
   * @param cells cells of all elements of the message
   * @param from index of the first element that {@code pendingCells} has acquired for this object
   * @param to index after the last one
   */
  InFlightElements(
      InFlightMessage message, PendingCells pendingCells, CellIds cells, int from, int to) {
    this.message = message;
    this.pendingCells = pendingCells;
    this.cells = cells;
    this.from = from;
    this.to = to;
    message.addPart(this);
  }

  /** Next in the list of a message; guarded by the message. */
  @Nullable InFlightElements next() {
    return next;
  }

  void setNext(@Nullable InFlightElements following) {
    next = following;
  }

  /** Adds an element. */
  void add() {
    pending.incrementAndGet();
  }

  @Override
  public @Nullable Object call(Object answer) {
    if (answer instanceof Throwable) {
      message.recordFailure(StorageFailure.of((Throwable) answer));
    } else if (answer instanceof RepairResult) {
      message.addRepair((RepairResult) answer);
    }
    completed();
    // The failure is handled here, so the Deferred's chain goes on without it.
    return null;
  }

  /** An element has completed, or the writing thread has added all elements. */
  void completed() {
    int left = pending.decrementAndGet();
    if (left == 0) {
      pendingCells.release(cells, from, to);
    }
    if (left == 0 || left == EXPIRED) {
      message.partCompleted();
    }
  }

  /** Releases the cells without waiting for HBase's answers. */
  void expire() {
    int left = pending.getAndAdd(EXPIRED);
    if (left > 0 && left < EXPIRED) {
      pendingCells.release(cells, from, to);
    }
  }
}
