package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.hbase.async.KeyValue;

/**
 * Limits the memory of the raw rows that repairs read, and of the histograms that they write.
 * Thread-safe.
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
  private final Map<Deferred<?>, Runnable> waiting = new LinkedHashMap<>();
  private final Map<Deferred<?>, Long> reserved = new HashMap<>();
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
   * @param done of the read, which gives its room back with {@link #release}
   */
  void reserve(Deferred<?> done, Runnable read) {
    synchronized (this) {
      if (!waiting.isEmpty() || !fits()) {
        waiting.put(done, read);
        return;
      }
      add(done, expected);
    }
    read.run();
  }

  private void add(Deferred<?> done, long bytes) {
    reserved.merge(done, bytes, Long::sum);
    used += bytes;
  }

  private boolean fits() {
    return used == 0 || used + expected <= LIMIT;
  }

  /**
   * Raises the reservation of a read to the bytes that were read, also after its release.
   *
   * @return whether it had one
   */
  synchronized boolean read(Deferred<?> done, long bytes) {
    expected = Math.max(bytes, Math.max(LEAST, expected - expected / 64));
    Long before = reserved.get(done);
    add(done, Math.max(0, bytes - (before == null ? 0 : before)));
    return before != null;
  }

  /** Ends the reservation of a read, if it has one, and starts the reads that fit now. */
  void release(Deferred<?> done) {
    keep(done, 0);
  }

  /** Changes the reservation of a read to these bytes, if it has one. */
  void keep(Deferred<?> done, long bytes) {
    synchronized (this) {
      Long before = reserved.remove(done);
      if (before != null) {
        used -= before;
        if (bytes > 0) {
          add(done, bytes);
        }
      }
    }
    while (true) {
      Runnable read;
      synchronized (this) {
        if (waiting.isEmpty() || !fits()) {
          return;
        }
        Deferred<?> next = waiting.keySet().iterator().next();
        read = waiting.remove(next);
        add(next, expected);
      }
      try {
        executor.execute(read);
      } catch (Throwable e) {
        // No thread can be started. Else the reservation would be lost.
        read.run();
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
