package io.tsdbsuite.ingest.consume;

/**
 * A hash map from longs to sets of 64 bits. It boxes nothing, and allocates only to grow. Not
 * thread-safe.
 *
 * <p>Open addressing with linear probing; a removal shifts back the entries of its probe sequence.
 */
final class LongBitsMap {
  private static final int INITIAL = 1024;

  /**
   * Key and bits side by side, so that an access costs one cache miss; an entry without bits is
   * empty.
   */
  private long[] entries = new long[INITIAL * 2];

  private int size;

  /** Sets bits of a key if none of them is set; returns whether it did. */
  boolean add(long number, long more) {
    if (more == 0) {
      return true;
    }
    int entry = find(number);
    long bits = entries[entry + 1];
    if ((bits & more) != 0) {
      return false;
    }
    entries[entry] = number;
    entries[entry + 1] = bits | more;
    if (bits == 0 && ++size * 4 > entries.length) {
      grow();
    }
    return true;
  }

  /** Clears bits of a key. */
  void remove(long number, long those) {
    int entry = find(number);
    long bits = entries[entry + 1];
    if (bits != 0) {
      entries[entry + 1] = bits & ~those;
      if (entries[entry + 1] == 0) {
        close(entry);
        size--;
      }
    }
  }

  /** Number of keys with a set bit. */
  int size() {
    return size;
  }

  /** Index of the key's entry, or of the empty entry for it. */
  private int find(long number) {
    int mask = entries.length - 1;
    int entry = home(number);
    while (entries[entry + 1] != 0 && entries[entry] != number) {
      entry = (entry + 2) & mask;
    }
    return entry;
  }

  private int home(long number) {
    return ((int) (number ^ (number >>> 32)) << 1) & (entries.length - 1);
  }

  /** Shifts entries behind the empty one back, as far as their probe sequence includes it. */
  private void close(int empty) {
    int mask = entries.length - 1;
    int gap = empty;
    for (int entry = (gap + 2) & mask; entries[entry + 1] != 0; entry = (entry + 2) & mask) {
      // It may move if its home is not between the gap and itself.
      if (((entry - home(entries[entry])) & mask) >= ((entry - gap) & mask)) {
        entries[gap] = entries[entry];
        entries[gap + 1] = entries[entry + 1];
        gap = entry;
      }
    }
    entries[gap + 1] = 0;
  }

  private void grow() {
    long[] old = entries;
    entries = new long[old.length * 2];
    for (int from = 0; from < old.length; from += 2) {
      if (old[from + 1] != 0) {
        int entry = find(old[from]);
        entries[entry] = old[from];
        entries[entry + 1] = old[from + 1];
      }
    }
  }
}
