package io.tsdbsuite.rollup.tiers;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes of data blocks by metric and day. A block that may have rows of several of them counts for
 * that of its first row, which may therefore have less, and that of its last row may have more.
 *
 * <p>A day is that of the start of a row, in days since the epoch, UTC. Not thread-safe.
 */
final class StoredBytes {
  /** The bytes of a day. */
  static final int BYTES = 0;

  /** Of these, the bytes of blocks that may have rows of other metrics or days too. */
  static final int MAYBE_LESS = 1;

  /** Bytes of blocks that count for another metric or day and may have rows of this one. */
  static final int MAYBE_MORE = 2;

  private static final int KINDS = 3;

  /** The days of a metric. */
  static final class Days {
    private int first;
    private long[] bytes = {};

    private void add(int day, int kind, long more) {
      if (bytes.length == 0) {
        first = day;
      }
      if (day < first) {
        // Some room, because the days come in order only within an HFile.
        int before = Math.max(first - day, Math.min(days() / 2, first));
        long[] moved = new long[bytes.length + before * KINDS];
        System.arraycopy(bytes, 0, moved, before * KINDS, bytes.length);
        bytes = moved;
        first -= before;
      } else if (day >= first + days()) {
        int days = Math.max(day - first + 1, days() + days() / 2);
        bytes = Arrays.copyOf(bytes, days * KINDS);
      }
      bytes[(day - first) * KINDS + kind] += more;
    }

    /** The first day that may have bytes. */
    int first() {
      return first;
    }

    /** Number of days from the first on. */
    int days() {
      return bytes.length / KINDS;
    }

    /** Bytes of a day from the first on. */
    long of(int day, int kind) {
      return bytes[(day - first) * KINDS + kind];
    }
  }

  private final Map<Long, Days> metrics = new HashMap<>();

  /** Adds bytes of a metric's day. */
  void add(long metricUid, int day, int kind, long bytes) {
    metrics.computeIfAbsent(metricUid, uid -> new Days()).add(day, kind, bytes);
  }

  /** Adds all of another one. */
  void add(StoredBytes other) {
    other.metrics.forEach(
        (uid, days) -> {
          for (int day = days.first(); day < days.first() + days.days(); day++) {
            for (int kind = 0; kind < KINDS; kind++) {
              long bytes = days.of(day, kind);
              if (bytes > 0) {
                add(uid, day, kind, bytes);
              }
            }
          }
        });
  }

  /** The days by the UID of their metric. */
  Map<Long, Days> metrics() {
    return metrics;
  }
}
