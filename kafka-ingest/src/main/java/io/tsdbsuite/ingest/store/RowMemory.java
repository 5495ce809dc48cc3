package io.tsdbsuite.ingest.store;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.hbase.async.KeyValue;

/**
 * Limits the memory of the raw rows that repairs read. Thread-safe.
 *
 * <p>The size of a row is known after it was read, so room for the largest of the last rows is
 * reserved before. If rows become larger at once, the reads under way exceed the limit together;
 * the next ones wait. A read that needs more than the limit runs alone.
 */
final class RowMemory {
  /** Bytes of rows in memory. */
  static final long LIMIT = 64L << 20;

  /** Least room for the rows of an hour, bytes: 3,600 cells take a third of it. */
  static final long LEAST = 1L << 20;

  /** A cell's object and its arrays' headers in asynchbase, bytes. */
  private static final int CELL = 80;

  private final Executor executor;
  private final Queue<LongConsumer> waiting = new ArrayDeque<>();
  private long used;
  private long expected = LEAST;

  /**
   * Creates a limit without reads.
   *
   * @param executor runs the reads that have waited
   */
  RowMemory(Executor executor) {
    this.executor = executor;
  }

  /**
   * Runs a read, now in this thread or later in the executor.
   *
   * @param read receives the bytes reserved for it, which it gives back with {@link #release}
   */
  void reserve(LongConsumer read) {
    long bytes;
    synchronized (this) {
      if (!waiting.isEmpty() || !fits()) {
        waiting.add(read);
        return;
      }
      bytes = expected;
      used += bytes;
    }
    read.accept(bytes);
  }

  private boolean fits() {
    return used == 0 || used + expected <= LIMIT;
  }

  /**
   * Replaces a reservation by the bytes that were read.
   *
   * @return the new reservation, at least the old one
   */
  synchronized long read(long reserved, long bytes) {
    expected = Math.max(bytes, Math.max(LEAST, expected - expected / 64));
    long more = Math.max(0, bytes - reserved);
    used += more;
    return reserved + more;
  }

  /** Ends a reservation, and starts the reads that fit now. */
  void release(long reserved) {
    synchronized (this) {
      used -= reserved;
    }
    while (true) {
      LongConsumer read;
      long bytes;
      synchronized (this) {
        if (waiting.isEmpty() || !fits()) {
          return;
        }
        read = waiting.remove();
        bytes = expected;
        used += bytes;
      }
      try {
        executor.execute(() -> read.accept(bytes));
      } catch (Throwable e) {
        // No thread can be started. Else the reservation would be lost.
        read.accept(bytes);
      }
    }
  }

  /** The bytes reserved. */
  synchronized long used() {
    return used;
  }

  /** The bytes that cells take in memory, without the keys, which the cells of a row share. */
  static long bytes(List<? extends List<KeyValue>> rows) {
    long bytes = 0;
    for (List<KeyValue> row : rows) {
      for (KeyValue cell : row) {
        bytes += CELL + cell.qualifier().length + cell.value().length;
      }
    }
    return bytes;
  }
}
