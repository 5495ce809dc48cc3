package io.tsdbsuite.ingest.consume;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Messages between the polling thread and the writing thread of a consumer. Thread-safe.
 *
 * <p>It accepts all messages of one poll; if it {@link #isFull}, the polling thread pauses.
 */
final class MessageQueue {
  private static final int MAX_MESSAGES = 5_000;
  private static final long MAX_BYTES = 16L << 20;

  /** Limits the bytes of one poll; for the polling thread. */
  final PolledValues polledValues = new PolledValues();

  private final LinkedBlockingQueue<QueuedMessage> messages = new LinkedBlockingQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> writerFailure = new AtomicReference<>();

  void add(QueuedMessage message) {
    bytes.addAndGet(message.bytes);
    messages.add(message);
  }

  /** Adds the messages of one poll; {@link #drainTo} gets all of them or none. */
  synchronized void addAll(List<QueuedMessage> polled) {
    polled.forEach(this::add);
  }

  /** The next message; null on a timeout. */
  @Nullable QueuedMessage take(long millis) throws InterruptedException {
    QueuedMessage message = messages.poll(millis, TimeUnit.MILLISECONDS);
    if (message != null) {
      bytes.addAndGet(-message.bytes);
    }
    return message;
  }

  /** Moves the messages that wait to a list, up to a number. */
  synchronized void drainTo(List<QueuedMessage> target, int max) {
    int before = target.size();
    messages.drainTo(target, max);
    for (QueuedMessage each : target.subList(before, target.size())) {
      bytes.addAndGet(-each.bytes);
    }
  }

  /** Removes all messages and returns their number. */
  int clear() {
    int removed = 0;
    for (QueuedMessage each = messages.poll(); each != null; each = messages.poll()) {
      bytes.addAndGet(-each.bytes);
      removed++;
    }
    return removed;
  }

  /** Reports an error of the writing thread to the polling thread. */
  void failWriter(Throwable cause) {
    writerFailure.compareAndSet(null, cause);
  }

  /**
   * Throws once after {@link #failWriter}. This ends the session, so uncommitted messages are read
   * again.
   *
   * @throws IllegalStateException with the error of the writing thread
   */
  void checkWriter() {
    Throwable cause = writerFailure.getAndSet(null);
    if (cause != null) {
      throw new IllegalStateException("the writing thread failed: " + cause, cause);
    }
  }

  boolean isFull() {
    return messages.size() >= MAX_MESSAGES || bytes.get() >= MAX_BYTES;
  }

  boolean isHalfEmpty() {
    return messages.size() <= MAX_MESSAGES / 2 && bytes.get() <= MAX_BYTES / 2;
  }
}
