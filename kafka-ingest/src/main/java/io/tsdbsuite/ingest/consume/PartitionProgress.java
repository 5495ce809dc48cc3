package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.StorageFailure;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * Which messages of a partition are done, from one position on; thread-safe.
 *
 * <p>Messages end in any order; only the offset up to which all have ended may be committed. The
 * first failure ends the use of the object: nothing more is written of it, and once HBase has
 * answered everything that was, the partition is read again from the first message that is not done
 * and with a new object. So a late answer never counts for a newer try, and the writes of a series
 * stay in their order.
 */
final class PartitionProgress {
  private static final int INITIAL = 1024;

  private final TopicPartition partition;
  private final int attempt;

  // A ring of the messages from the first unfinished one on.
  private long[] offsets = new long[INITIAL];
  private boolean[] finished = new boolean[INITIAL];
  private Ticket[] departed = new Ticket[INITIAL];
  private long firstSequence;
  private int size;

  private long committable = -1;
  private long finishedMessages;
  private int inFlight;
  private long oldestMillis;
  private StorageFailure failure;

  /** Changed under the lock; read without it, since writers ask for each element. */
  private volatile boolean open = true;

  /**
   * Starts an account.
   *
   * @param attempt tries of this position that failed without a message done, 0 or more
   */
  PartitionProgress(TopicPartition partition, int attempt) {
    this.partition = partition;
    this.attempt = attempt;
  }

  TopicPartition partition() {
    return partition;
  }

  /** Tries without any progress, this one not counted; what back-off grows with. */
  synchronized int attempt() {
    return finishedMessages > 0 ? 0 : attempt;
  }

  /** Takes a message on; offsets ascend. Answers its number for {@link #finish}. */
  synchronized long begin(long offset) {
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
    Ticket[] moreDeparted = new Ticket[moreOffsets.length];
    for (long s = firstSequence; s < firstSequence + size; s++) {
      int to = (int) (s & (moreOffsets.length - 1));
      moreOffsets[to] = offsets[slot(s)];
      moreFinished[to] = finished[slot(s)];
      moreDeparted[to] = departed[slot(s)];
    }
    offsets = moreOffsets;
    finished = moreFinished;
    departed = moreDeparted;
  }

  /** A message leaves for HBase; false when it must not, since the object is out of use. */
  synchronized boolean depart(long sequence, Ticket ticket, long nowMillis) {
    if (!open) {
      return false;
    }
    departed[slot(sequence)] = ticket;
    if (inFlight == 0) {
      oldestMillis = nowMillis;
    }
    inFlight++;
    return true;
  }

  /** The message that departed is stored, or safe in another topic. */
  synchronized void finish(long sequence, long nowMillis) {
    inFlight--;
    finished[slot(sequence)] = true;
    departed[slot(sequence)] = null;
    finishedMessages++;
    while (size > 0 && finished[slot(firstSequence)]) {
      committable = offsets[slot(firstSequence)] + 1;
      firstSequence++;
      size--;
      oldestMillis = nowMillis;
    }
    notifyAll();
  }

  /** The message that departed is not stored. Answers whether this is the first failure. */
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

  /** The message that departed is not stored as a whole, since the object is out of use. */
  synchronized void giveUp() {
    inFlight--;
    notifyAll();
  }

  /** The messages that departed and are not done, those that failed among them. */
  synchronized List<Ticket> departed() {
    List<Ticket> tickets = new ArrayList<>();
    for (long s = firstSequence; s < firstSequence + size; s++) {
      if (departed[slot(s)] != null) {
        tickets.add(departed[slot(s)]);
      }
    }
    return tickets;
  }

  /** Nothing more leaves; answers may still come. */
  synchronized void close() {
    open = false;
    notifyAll();
  }

  /** Whether messages may leave: it is not closed, and none has failed. */
  boolean isOpen() {
    return open;
  }

  /** Why it is out of use; null while all went well. */
  synchronized StorageFailure failure() {
    return failure;
  }

  synchronized int inFlight() {
    return inFlight;
  }

  /** Messages taken on and not done. */
  synchronized int unfinished() {
    return size;
  }

  /** The offset to commit: all before it are done; -1 while none is. */
  synchronized long committable() {
    return committable;
  }

  /** The first message that is not done; -1 if all are. */
  synchronized long firstUnfinished() {
    return size == 0 ? -1 : offsets[slot(firstSequence)];
  }

  /**
   * How long the first message that is not done has been the first, while HBase owes answers,
   * milliseconds; 0 if it owes none. One answer that never comes keeps all later messages from
   * being committed, however many of them are stored.
   */
  synchronized long silence(long nowMillis) {
    return inFlight == 0 ? 0 : nowMillis - oldestMillis;
  }

  /** Waits until nothing is in flight; false when the time is up before. */
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
