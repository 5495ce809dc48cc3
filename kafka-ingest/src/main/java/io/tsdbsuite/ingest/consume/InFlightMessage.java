package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.RepairResult;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A message that is being written, until all of its parts have completed. Thread-safe. */
final class InFlightMessage {
  /** Sum, minimum, maximum and count. */
  private static final int VALUES_PER_ROLLUP = 4;

  private final QueuedMessage message;
  private final MessageCompletion completion;
  private final int points;

  /** Parts that have not completed, plus one for the writing thread while it adds parts. */
  private final AtomicInteger pendingParts = new AtomicInteger(1);

  // Written by the writing thread only, before its own last partCompleted().
  private int badPoints;
  private int badElements;
  private int deletions;
  private boolean incomplete;
  private @Nullable MessageMasks masks;
  private long oldestHour = -1;

  private @Nullable StorageFailure failure;
  private @Nullable InFlightElements elements;
  private boolean completed;
  private List<RepairResult> repairs = Collections.emptyList();

  InFlightMessage(QueuedMessage message, int points, MessageCompletion completion) {
    this.message = message;
    this.points = points;
    this.completion = completion;
  }

  QueuedMessage message() {
    return message;
  }

  PartitionProgress progress() {
    return message.progress();
  }

  /** Timestamp of the message's rollup cells; see {@link ElementSink#store}. */
  long cellTimestamp() {
    return message.firstReadAt();
  }

  /** Number of values, or of hours to be read; counted by the {@link InFlightLimit}. */
  int points() {
    return points;
  }

  /** Bytes that it keeps in memory; counted by the {@link InFlightLimit}. */
  long bytes() {
    return message.bytes();
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
    int values = 0;
    for (RepairResult result : results) {
      values += VALUES_PER_ROLLUP * result.rollups();
    }
    return values;
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

  /** Number of deleted rollups. */
  int deletions() {
    return deletions;
  }

  /** Counts an element that deletes a rollup. Writing thread only. */
  void addDeletion() {
    deletions++;
  }

  /** Counts an element that cannot be stored, by its values. Writing thread only. */
  void addBadElement(int itsPoints) {
    badPoints += itsPoints;
    badElements++;
  }

  /** Elements that cannot be stored. Writing thread only. */
  int badElements() {
    return badElements;
  }

  /**
   * Marks the message as partly written, because its partition was closed meanwhile: all of it is
   * read again. Writing thread only.
   */
  void markIncomplete() {
    incomplete = true;
  }

  /** Whether parts of it were not written. Valid after all parts have completed. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** The masks that it needs, to add one. Writing thread only. */
  MessageMasks masks() {
    MessageMasks all = masks;
    if (all == null) {
      all = new MessageMasks();
      masks = all;
    }
    return all;
  }

  /** The masks that it needs; null for none. Valid after all parts have completed. */
  @Nullable MessageMasks masksOrNull() {
    return masks;
  }

  /**
   * Notes the hour of a point that is not late yet, seconds since the epoch. Writing thread only.
   */
  void noteHour(long hour) {
    if (oldestHour < 0 || hour < oldestHour) {
      oldestHour = hour;
    }
  }

  /** The first of these hours; -1 for none. Valid after all parts have completed. */
  long oldestHour() {
    return oldestHour;
  }

  /** Adds a part: a dead letter of one element. */
  void addPart() {
    pendingParts.incrementAndGet();
  }

  /** Adds a part that {@link #expire} expires as well. */
  synchronized void addPart(InFlightElements part) {
    pendingParts.incrementAndGet();
    part.setNext(elements);
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
  synchronized boolean expire() {
    if (!complete()) {
      return false;
    }
    for (InFlightElements each = elements; each != null; each = each.next()) {
      each.expire();
    }
    return true;
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
