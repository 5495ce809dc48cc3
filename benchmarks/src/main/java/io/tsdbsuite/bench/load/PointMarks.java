package io.tsdbsuite.bench.load;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The questions of a telnet connection that wait for their answers: the one that sends adds them,
 * the one that reads takes them away.
 */
final class PointMarks {
  private final Books books;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Integer> open = new ArrayDeque<>();
  private long answers;
  private long refused;
  private IOException failure;

  PointMarks(Books books) {
    this.books = books;
  }

  /** The question after these points was sent. */
  void asked(int points) {
    lock.lock();
    try {
      open.add(points);
    } finally {
      lock.unlock();
    }
  }

  /** The oldest open question was answered: of its points, those not refused are accepted. */
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

  /** A point was refused. */
  void refused() {
    lock.lock();
    try {
      refused++;
      books.failed(1);
    } finally {
      lock.unlock();
    }
  }

  /** No more answers will come. */
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
   * Does nothing while answers may come.
   *
   * @throws IOException why none will come
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
   * @param who is waited for
   * @throws IOException when none will come, or none came for a minute
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
   * Closes the books of the connection: points that nobody knows of have failed; points refused
   * after they had passed for accepted are not.
   *
   * @param unasked points sent after the last question
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
