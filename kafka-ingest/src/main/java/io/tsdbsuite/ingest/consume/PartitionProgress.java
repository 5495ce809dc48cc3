package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the finished messages of a partition, from one position on. Thread-safe.
 *
 * <p>Messages finish in any order; the offset to commit is that up to which all have finished. The
 * first failure closes the object: no further message is started, and after HBase has answered all
 * started ones, the partition is read again from its first unfinished message, with a new object.
 * So a late answer never counts for a newer attempt, and the writes of a series keep their order.
 */
final class PartitionProgress {
  private static final int INITIAL = 1024;
  private static final long FIRST_BACKOFF_MILLIS = 500;
  private static final long LAST_BACKOFF_MILLIS = 30_000;

  private final TopicPartition partition;
  private final int attempt;

  // A ring buffer of the messages from the first unfinished one on.
  private long[] offsets = new long[INITIAL];
  private boolean[] finished = new boolean[INITIAL];
  private @Nullable InFlightMessage[] messages = new InFlightMessage[INITIAL];
  private long firstSequence;
  private int size;

  private long committable = -1;
  private long rewindTo = -1;
  private long finishedMessages;
  private int inFlight;
  private long oldestMillis;
  private @Nullable StorageFailure failure;

  /** Written under the lock; read without it, because writers read it for each element. */
  private volatile boolean open = true;

  /**
   * Creates an object without messages.
   *
   * @param attempt earlier attempts from this position that failed before any message finished
   */
  PartitionProgress(TopicPartition partition, int attempt) {
    this.partition = partition;
    this.attempt = attempt;
  }

  TopicPartition partition() {
    return partition;
  }

  /** Earlier attempts without progress. */
  synchronized int attempt() {
    return finishedMessages > 0 ? 0 : attempt;
  }

  /** Milliseconds before the next attempt: the more have failed without progress, the more. */
  long backoffMillis() {
    return Math.min(LAST_BACKOFF_MILLIS, FIRST_BACKOFF_MILLIS << Math.min(attempt(), 10));
  }

  /** Adds a message; offsets ascend. Returns its sequence number. */
  synchronized long add(long offset) {
    if (size == offsets.length) {
      grow();
    }
    long sequence = firstSequence + size;
    int slot = slot(sequence);
    offsets[slot] = offset;
    finished[slot] = false;
    size++;
    return sequence;
  }

  private int slot(long sequence) {
    return (int) (sequence & (offsets.length - 1));
  }

  private void grow() {
    long[] moreOffsets = new long[offsets.length * 2];
    boolean[] moreFinished = new boolean[moreOffsets.length];
    @Nullable InFlightMessage[] moreMessages = new InFlightMessage[moreOffsets.length];
    for (long s = firstSequence; s < firstSequence + size; s++) {
      int to = (int) (s & (moreOffsets.length - 1));
      moreOffsets[to] = offsets[slot(s)];
      moreFinished[to] = finished[slot(s)];
      moreMessages[to] = messages[slot(s)];
    }
    offsets = moreOffsets;
    finished = moreFinished;
    messages = moreMessages;
  }

  /** Starts writing a message. Returns false if the object is closed. */
  synchronized boolean start(long sequence, InFlightMessage message, long nowMillis) {
    if (!open) {
      return false;
    }
    messages[slot(sequence)] = message;
    if (inFlight == 0) {
      oldestMillis = nowMillis;
    }
    inFlight++;
    return true;
  }

  /** A started message is stored, or acknowledged in another topic. */
  synchronized void finish(long sequence, long nowMillis) {
    inFlight--;
    finished[slot(sequence)] = true;
    messages[slot(sequence)] = null;
    finishedMessages++;
    while (size > 0 && finished[slot(firstSequence)]) {
      committable = rewindTo < 0 ? offsets[slot(firstSequence)] + 1 : -1;
      firstSequence++;
      size--;
      oldestMillis = nowMillis;
    }
    notifyAll();
  }

  /** A started message has failed. Returns whether this is the first failure. */
  synchronized boolean fail(StorageFailure cause) {
    inFlight--;
    boolean first = failure == null;
    if (first) {
      failure = cause;
      open = false;
    }
    notifyAll();
    return first;
  }

  /** A started message was not written completely, because the object was closed. */
  synchronized void cancel() {
    inFlight--;
    notifyAll();
  }

  /** Messages that were started and have not finished, including failed ones. */
  synchronized List<InFlightMessage> inFlightMessages() {
    List<InFlightMessage> inFlightMessages = new ArrayList<>();
    for (long s = firstSequence; s < firstSequence + size; s++) {
      if (messages[slot(s)] != null) {
        inFlightMessages.add(messages[slot(s)]);
      }
    }
    return inFlightMessages;
  }

  /** Starts no more messages; those in flight may still finish. */
  synchronized void close() {
    open = false;
    notifyAll();
  }

  /** Whether messages may start: it is not closed, and none has failed. */
  boolean isOpen() {
    return open;
  }

  /** The first failure, or null. */
  synchronized @Nullable StorageFailure failure() {
    return failure;
  }

  synchronized int inFlight() {
    return inFlight;
  }

  /** Messages added and not finished. */
  synchronized int unfinished() {
    return size;
  }

  /**
   * If all messages have finished: there are no others before this offset, which is committed.
   * Returns false if some have not, or the object is closed.
   */
  synchronized boolean readTo(long position) {
    boolean read = open && size == 0 && rewindTo < 0;
    if (read) {
      committable = position;
    }
    return read;
  }

  /**
   * The partition has a new log, in which the offsets of these messages belong to others: none of
   * them is committed, and the partition continues at an offset when they have ended.
   */
  synchronized void rewind(long offset) {
    rewindTo = offset;
    committable = -1;
  }

  /** The offset of {@link #rewind}; -1 without one. */
  synchronized long rewindTo() {
    return rewindTo;
  }

  /** The offset to commit: all messages before it have finished; -1 if there is none. */
  synchronized long committable() {
    return committable;
  }

  /** Offset of the first unfinished message; -1 if all have finished. */
  synchronized long firstUnfinished() {
    return size == 0 ? -1 : offsets[slot(firstSequence)];
  }

  /**
   * Time since the first unfinished message became the first, milliseconds; 0 if none is in flight.
   * A lost answer blocks the commit of all later messages, even if these are stored.
   */
  synchronized long waitingMillis(long nowMillis) {
    return inFlight == 0 ? 0 : nowMillis - oldestMillis;
  }

  /** Waits until no message is in flight; returns false on a timeout. */
  synchronized boolean awaitAnswers(long millis) throws InterruptedException {
    long until = System.nanoTime() + millis * 1_000_000;
    while (inFlight > 0) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
