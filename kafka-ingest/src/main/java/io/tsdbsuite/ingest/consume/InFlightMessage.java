package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Callback;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.RepairResult;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A message that is being written, until all of its parts have completed. Thread-safe.
 *
 * <p>A part is a dead letter of one element, or {@link Elements} that are written concurrently. The
 * writing thread adds the parts, HBase's client and Kafka's producer complete them, in any order.
 * The last one calls {@link MessageCompletion#allPartsCompleted}. A message whose answers are lost
 * is expired before that: it completes as failed, and later answers are only counted.
 */
final class InFlightMessage {
  final QueuedMessage queued;

  /** Number of values, or of hours to be read; counted by the {@link InFlightLimit}. */
  final int points;

  /** Bytes of the message, and of its packed parts; limited likewise. */
  final long bytes;

  private final MessageCompletion completion;

  /** Parts that have not completed, plus one for the writing thread while it adds parts. */
  private final AtomicInteger pendingParts = new AtomicInteger(1);

  // Written by the writing thread only, before its own last partCompleted(). Other threads read
  // them after all parts have completed.

  private int badPoints;

  /** Objects that cannot be stored. */
  int badElements;

  /** Deleted rollups, also those beside a histogram. */
  int deletions;

  /** Histograms of rollups. */
  int histograms;

  /** Whether parts were not written, because the partition was closed: all of it is read again. */
  boolean incomplete;

  /** The masks that it needs; null for none. */
  Masking.@Nullable Masks masks;

  /** The first hour with a point that is not late yet, seconds since the epoch; -1 for none. */
  long oldestHour = -1;

  // Guarded by this.
  private @Nullable StorageFailure failure;
  private @Nullable Elements elements;
  private boolean completed;
  private List<RepairResult> repairs = Collections.emptyList();
  private List<Runnable> onExpiry = Collections.emptyList();

  InFlightMessage(
      QueuedMessage queued, int points, long packedBytes, MessageCompletion completion) {
    this.queued = queued;
    this.points = points;
    this.bytes = queued.bytes + packedBytes;
    this.completion = completion;
  }

  /**
   * Elements of the message that are written concurrently, until HBase has answered all of them.
   * Thread-safe.
   *
   * <p>One object is the callback of all elements' Deferreds and releases their cells together, so
   * an element costs neither an object nor a lock.
   */
  static final class Elements implements Callback<Object, Object> {
    /** Added to {@link #pending} on expiry; larger than any number of elements. */
    private static final int EXPIRED = 1 << 30;

    private final InFlightMessage message;
    private final PendingCells pendingCells;
    private final CellIds cells;
    private final int from;
    private final int to;

    /** Elements without an answer, plus one for the writing thread while it adds elements. */
    private final AtomicInteger pending = new AtomicInteger(1);

    /** Next in the list of the message; guarded by the message. */
    private @Nullable Elements next;

    /**
     * Adds itself to the message, without elements.
     *
     * @param cells cells of all elements of the message
     * @param from index of the first element that {@code pendingCells} has acquired for this object
     * @param to index after the last one
     */
    Elements(InFlightMessage message, PendingCells pendingCells, CellIds cells, int from, int to) {
      this.message = message;
      this.pendingCells = pendingCells;
      this.cells = cells;
      this.from = from;
      this.to = to;
      message.addPart(this);
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

  /**
   * Number of values that HBase has acknowledged; of requests, values of the rollups computed for
   * them. Valid after completion without failure.
   */
  int storedPoints() {
    List<RepairResult> results = repairs();
    if (results.isEmpty()) {
      return points - badPoints - deletions;
    }
    return results.stream().mapToInt(RepairResult::values).sum();
  }

  /** The results of the requests carried out. Valid after completion without failure. */
  synchronized List<RepairResult> repairs() {
    return repairs;
  }

  /** Adds the result of a request. */
  synchronized void addRepair(RepairResult result) {
    if (repairs.isEmpty()) {
      repairs = new ArrayList<>(1);
    }
    repairs.add(result);
  }

  /** Whether an element was stored or a request carried out. */
  boolean isStored() {
    return storedPoints() > 0 || deletions > 0 || !repairs().isEmpty();
  }

  /**
   * Counts an element that cannot be stored, by its values. Writing thread only.
   *
   * @param isFirst whether it is the first one of its object
   */
  void addBadElement(int itsPoints, boolean isFirst) {
    badPoints += itsPoints;
    badElements += isFirst ? 1 : 0;
  }

  /** The masks that it needs, to add one. Writing thread only. */
  Masking.Masks masks() {
    Masking.Masks all = masks;
    if (all == null) {
      all = new Masking.Masks();
      masks = all;
    }
    return all;
  }

  /**
   * Notes the hour of a point that is not late yet, seconds since the epoch. Writing thread only.
   */
  void noteHour(long hour) {
    if (oldestHour < 0 || hour < oldestHour) {
      oldestHour = hour;
    }
  }

  /** Adds a part: a dead letter of one element. */
  void addPart() {
    pendingParts.incrementAndGet();
  }

  /** Adds a part that {@link #expire} expires as well. */
  private synchronized void addPart(Elements part) {
    pendingParts.incrementAndGet();
    part.next = elements;
    elements = part;
    if (completed) {
      part.expire();
    }
  }

  /** A part has completed, or the writing thread has added all parts. */
  void partCompleted() {
    if (pendingParts.decrementAndGet() == 0) {
      completion.allPartsCompleted(this);
    }
  }

  /** Completes the message with any outcome. Returns false if it was completed before. */
  synchronized boolean complete() {
    boolean first = !completed;
    completed = true;
    return first;
  }

  synchronized boolean isCompleted() {
    return completed;
  }

  /**
   * Completes the message without waiting for HBase's answers, and releases its cells. Later
   * answers are ignored. Returns false if it was completed before.
   */
  boolean expire() {
    synchronized (this) {
      if (!complete()) {
        return false;
      }
      for (Elements each = elements; each != null; each = each.next) {
        each.expire();
      }
    }
    // It has completed, so none is added.
    onExpiry.forEach(Runnable::run);
    return true;
  }

  /** Frees what is kept for an answer when the message expires, at once if it has. */
  void onExpiry(Runnable free) {
    synchronized (this) {
      if (!completed) {
        if (onExpiry.isEmpty()) {
          onExpiry = new ArrayList<>(1);
        }
        onExpiry.add(free);
        return;
      }
    }
    free.run();
  }

  /** Records the failure of a part. The part completes separately. */
  synchronized void recordFailure(StorageFailure cause) {
    // Of several failures an outage decides: the whole message waits for its end.
    if (failure == null || cause.isOutage()) {
      failure = cause;
    }
  }

  /** The failure; null if all parts are stored. Valid after all parts have completed. */
  synchronized @Nullable StorageFailure failure() {
    return failure;
  }
}
