package io.tsdbsuite.ingest.consume;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Messages between the thread that polls and the one that writes. Thread-safe.
 *
 * <p>It takes whatever one poll brought; {@link #isFull} tells the poller to bring no more.
 */
final class Backlog {
  private static final int MAX_MESSAGES = 5_000;
  private static final long MAX_BYTES = 16L << 20;

  private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicReference<Throwable> broken = new AtomicReference<>();

  void add(Task task) {
    bytes.addAndGet(task.bytes());
    tasks.add(task);
  }

  /** The next message; null if none came within the time. */
  Task take(long millis) throws InterruptedException {
    Task task = tasks.poll(millis, TimeUnit.MILLISECONDS);
    if (task != null) {
      bytes.addAndGet(-task.bytes());
    }
    return task;
  }

  /** Drops everything; answers how many messages that were. */
  int clear() {
    int dropped = 0;
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      bytes.addAndGet(-task.bytes());
      dropped++;
    }
    return dropped;
  }

  /** The writer has lost the outcome of a message. */
  void broken(Throwable cause) {
    broken.compareAndSet(null, cause);
  }

  /**
   * Once after {@link #broken}: ends the session, so that everything that is not committed is read
   * again.
   *
   * @throws IllegalStateException with what the writer threw
   */
  void check() {
    Throwable cause = broken.getAndSet(null);
    if (cause != null) {
      throw new IllegalStateException("the writing thread failed: " + cause, cause);
    }
  }

  boolean isFull() {
    return tasks.size() >= MAX_MESSAGES || bytes.get() >= MAX_BYTES;
  }

  boolean isHalfEmpty() {
    return tasks.size() <= MAX_MESSAGES / 2 && bytes.get() <= MAX_BYTES / 2;
  }
}
