package io.tsdbsuite.bench.load;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The open requests for {@code version} of a telnet connection. The sending thread adds them, the
 * reading thread removes them.
 */
final class PointMarks {
  private final Books books;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Integer> open = new ArrayDeque<>();
  private long answers;
  private long refused;
  private @Nullable IOException failure;

  PointMarks(Books books) {
    this.books = books;
  }

  /** A request for {@code version} was sent after these points. */
  void asked(int points) {
    lock.lock();
    try {
      open.add(points);
    } finally {
      lock.unlock();
    }
  }

  /** The oldest open request was answered: its points that were not refused are accepted. */
  void answered() {
    lock.lock();
    try {
      Integer points = open.poll();
      books.accepted((points == null ? 0 : points) - refused);
      refused = 0;
      answers++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The TSD refused a point. */
  void refused() {
    lock.lock();
    try {
      refused++;
      books.failed(1);
    } finally {
      lock.unlock();
    }
  }

  /** Marks the connection as broken: open requests get no answer. */
  void broken(IOException why) {
    lock.lock();
    try {
      failure = why;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks that the connection can still deliver answers.
   *
   * @throws IOException with the cause when it cannot
   */
  void check() throws IOException {
    lock.lock();
    try {
      if (failure != null) {
        throw failure;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for all answers.
   *
   * @param who the TSD, for messages
   * @throws IOException when the connection is broken or no answer came for a minute
   */
  void awaitAll(String who) throws IOException {
    lock.lock();
    try {
      long seen = answers;
      long left = TimeUnit.MILLISECONDS.toNanos(Sockets.TIMEOUT_MILLIS);
      while (!open.isEmpty()) {
        check();
        if (left <= 0) {
          throw new IOException(
              who + " did not answer for " + Sockets.TIMEOUT_MILLIS / 1000 + " s");
        }
        left = changed.awaitNanos(left);
        if (answers > seen) {
          seen = answers;
          left = TimeUnit.MILLISECONDS.toNanos(Sockets.TIMEOUT_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + who + " had to answer", e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the books of the connection. Points without an answer have failed. Points that were
   * refused after they counted as accepted move from accepted to failed.
   *
   * @param unasked points sent after the last request for {@code version}
   */
  void close(int unasked) {
    lock.lock();
    try {
      long unknown = unasked;
      for (int points : open) {
        unknown += points;
      }
      long told = Math.min(unknown, refused);
      books.failed(unknown - told);
      books.accepted(told - refused);
      open.clear();
      refused = 0;
    } finally {
      lock.unlock();
    }
  }
}
