package io.tsdbsuite.bulk.group;

import java.util.Arrays;

/**
 * Finds the slot of (series, hour).
 *
 * <pre>
 *   | hash: as many bits as the slot leaves | slot + 1 |      0 if it is free
 * </pre>
 */
final class SlotIndex {
  /** Nothing found. */
  static final int NONE = -1;

  private static final int FIRST_CAPACITY = 1 << 12;

  private int[] table = new int[FIRST_CAPACITY];

  /** The slot, {@link #NONE} if there is none. */
  int find(HourTable hours, int series, int hour) {
    int mask = table.length - 1;
    int hash = hash(series, hour);
    int i = hash & mask;
    for (int found = table[i]; found != 0; found = table[i]) {
      if (((found ^ hash) & ~mask) == 0 && hours.is((found & mask) - 1, series, hour)) {
        return (found & mask) - 1;
      }
      i = (i + 1) & mask;
    }
    return NONE;
  }

  /** Adds the last slot, which is not there yet. */
  void add(HourTable hours, int slot) {
    if ((slot + 1) * 3L > table.length * 2L) {
      table = new int[table.length * 2];
      for (int i = 0; i < slot; i++) {
        insert(hours, i);
      }
    }
    insert(hours, slot);
  }

  private void insert(HourTable hours, int slot) {
    int mask = table.length - 1;
    int hash = hash(hours.series(slot), hours.hour(slot));
    int i = hash & mask;
    while (table[i] != 0) {
      i = (i + 1) & mask;
    }
    table[i] = (hash & ~mask) | (slot + 1);
  }

  private static int hash(int series, int hour) {
    long h = (((long) series << 32) ^ hour) * 0x9e3779b97f4a7c15L;
    h ^= h >>> 29;
    h *= 0xbf58476d1ce4e5b9L;
    return (int) (h >>> 32);
  }

  /** Bytes in use, and the next larger table beside it when that is near. */
  long used(int slots) {
    long now = table.length * 4L;
    return slots * 2L > table.length ? now * 3 : now;
  }

  /** Forgets all; keeps the memory. */
  void clear() {
    Arrays.fill(table, 0);
  }

  /** Frees the memory of an empty index. */
  void trim() {
    table = new int[FIRST_CAPACITY];
  }
}
