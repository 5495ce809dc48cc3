package io.tsdbsuite.ingest.consume;

/**
 * A set of numbers in one array: nothing is boxed or allocated, but to grow. Not thread-safe.
 *
 * <p>Open addressing with linear probing; a removal moves up what it would cut off.
 */
final class LongSet {
  private static final int INITIAL = 1024;

  /** 0 is an empty slot; the number 0 itself is kept apart. */
  private long[] slots = new long[INITIAL];

  private boolean hasZero;
  private int size;

  /** Answers whether it was not in yet. */
  boolean add(long number) {
    if (number == 0) {
      boolean added = !hasZero;
      hasZero = true;
      return added;
    }
    int slot = find(number);
    if (slots[slot] == number) {
      return false;
    }
    slots[slot] = number;
    size++;
    if (size * 2 > slots.length) {
      grow();
    }
    return true;
  }

  void remove(long number) {
    if (number == 0) {
      hasZero = false;
      return;
    }
    int slot = find(number);
    if (slots[slot] == number) {
      empty(slot);
      size--;
    }
  }

  int size() {
    return size + (hasZero ? 1 : 0);
  }

  /** The slot of the number, or the empty one where it would be. */
  private int find(long number) {
    int mask = slots.length - 1;
    int slot = home(number);
    while (slots[slot] != 0 && slots[slot] != number) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long number) {
    return (int) (number ^ (number >>> 32)) & (slots.length - 1);
  }

  private void empty(int hole) {
    int mask = slots.length - 1;
    int gap = hole;
    for (int slot = (gap + 1) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      // It may move up if its home is not between the gap and itself.
      if (((slot - home(slots[slot])) & mask) >= ((slot - gap) & mask)) {
        slots[gap] = slots[slot];
        gap = slot;
      }
    }
    slots[gap] = 0;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    for (long number : old) {
      if (number != 0) {
        slots[find(number)] = number;
      }
    }
  }
}
