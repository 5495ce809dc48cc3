package io.tsdbsuite.ingest.consume;

/**
 * Maps numbers to 64 bits each, in two arrays: nothing is boxed or allocated, but to grow. Not
 * thread-safe.
 *
 * <p>Open addressing with linear probing; a removal moves up the entries that it would cut off.
 */
final class LongBits {
  private static final int INITIAL = 1024;

  private long[] numbers = new long[INITIAL];

  /** 0 is an empty slot, whatever its number. */
  private long[] bits = new long[INITIAL];

  private int size;

  /** Sets bits of a number, all of them or, where one is set already, none; answers which. */
  boolean add(long number, long more) {
    if (more == 0) {
      return true;
    }
    int slot = find(number);
    if ((bits[slot] & more) != 0) {
      return false;
    }
    boolean isNew = bits[slot] == 0;
    numbers[slot] = number;
    bits[slot] |= more;
    if (isNew && ++size * 2 > bits.length) {
      grow();
    }
    return true;
  }

  /** Clears bits of a number, those that are set. */
  void remove(long number, long those) {
    int slot = find(number);
    if (bits[slot] != 0) {
      bits[slot] &= ~those;
      if (bits[slot] == 0) {
        close(slot);
        size--;
      }
    }
  }

  /** Numbers with a bit that is set. */
  int size() {
    return size;
  }

  /** The slot of the number, or the empty one where it would be. */
  private int find(long number) {
    int mask = bits.length - 1;
    int slot = home(number);
    while (bits[slot] != 0 && numbers[slot] != number) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long number) {
    return (int) (number ^ (number >>> 32)) & (bits.length - 1);
  }

  /** Fills the empty slot with entries behind it that belong there or before it. */
  private void close(int empty) {
    int mask = bits.length - 1;
    int gap = empty;
    for (int slot = (gap + 1) & mask; bits[slot] != 0; slot = (slot + 1) & mask) {
      // It may move up if its home is not between the gap and itself.
      if (((slot - home(numbers[slot])) & mask) >= ((slot - gap) & mask)) {
        numbers[gap] = numbers[slot];
        bits[gap] = bits[slot];
        gap = slot;
      }
    }
    bits[gap] = 0;
  }

  private void grow() {
    long[] oldNumbers = numbers;
    long[] oldBits = bits;
    numbers = new long[oldNumbers.length * 2];
    bits = new long[numbers.length];
    for (int i = 0; i < oldBits.length; i++) {
      if (oldBits[i] != 0) {
        int slot = find(oldNumbers[i]);
        numbers[slot] = oldNumbers[i];
        bits[slot] = oldBits[i];
      }
    }
  }
}
