package io.tsdbsuite.ingest.consume;

/**
 * Maps numbers to 64 bits each, in one array: nothing is boxed or allocated, but to grow. Not
 * thread-safe.
 *
 * <p>Open addressing with linear probing; a removal moves up the entries that it would cut off.
 */
final class LongBits {
  private static final int INITIAL = 1024;

  /** A number and its bits side by side, so that an access costs one cache miss; no bits: empty. */
  private long[] entries = new long[INITIAL * 2];

  private int size;

  /** Sets bits of a number, all of them or, where one is set already, none; answers which. */
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

  /** Clears bits of a number, those that are set. */
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

  /** Numbers with a bit that is set. */
  int size() {
    return size;
  }

  /** Index of the number's entry, or of the empty one where it would be. */
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

  /** Fills the empty entry with those behind it that belong there or before it. */
  private void close(int empty) {
    int mask = entries.length - 1;
    int gap = empty;
    for (int entry = (gap + 2) & mask; entries[entry + 1] != 0; entry = (entry + 2) & mask) {
      // It may move up if its home is not between the gap and itself.
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
