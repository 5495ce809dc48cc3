package io.tsdbsuite.bulk.group;

import java.util.Arrays;

/**
 * Memory in slices: chains of bytes that grow at their end, without an object for each.
 *
 * <pre>
 *   slab     64 KiB, holds slices one after the other
 *   slice    | bytes ... | next: 4 bytes |      16, 32, 64 ... 2048 bytes, each chain in this order
 *   address  | slab: 16 bits | offset: 16 bits |
 * </pre>
 *
 * <p>Bytes of a chain run on from slice to slice, with no regard to points. The address of the next
 * slice is written when there is one, native order. All of it together is at most 4 GiB.
 */
final class SliceStore {
  static final int SLAB = 1 << 16;
  static final int OFFSET_MASK = SLAB - 1;
  static final int SLAB_SHIFT = 16;

  /** Length of the link at the end of a slice. */
  static final int LINK = 4;

  private static final int MAX_SLABS = 1 << 16;
  private static final int FIRST = 16;
  private static final int LAST_LEVEL = 7;

  byte[][] slabs = new byte[16][];
  private int used;
  private int held;
  private int free = SLAB;

  /** Length of a slice without its link, bytes. */
  static int room(int level) {
    return (FIRST << Math.min(level, LAST_LEVEL)) - LINK;
  }

  /** A new slice; returns its address. */
  int allocate(int level) {
    int size = room(level) + LINK;
    if (free + size > SLAB) {
      nextSlab();
    }
    int address = ((used - 1) << SLAB_SHIFT) | free;
    free += size;
    return address;
  }

  private void nextSlab() {
    if (used == MAX_SLABS) {
      throw new IllegalStateException("points in memory must be at most 4 GiB of one thread");
    }
    if (used == slabs.length) {
      slabs = Arrays.copyOf(slabs, used * 2);
    }
    if (slabs[used] == null) {
      slabs[used] = new byte[SLAB];
      held++;
    }
    used++;
    free = 0;
  }

  /** Bytes in use. */
  long used() {
    return (long) used * (SLAB + 16) + slabs.length * 4L;
  }

  /** Bytes in use and kept for use. */
  long held() {
    return (long) held * (SLAB + 16) + slabs.length * 4L;
  }

  /** Whether so many more bytes exceed the addressable 4 GiB. */
  boolean full(long more) {
    return used + more / SLAB + 1 >= MAX_SLABS;
  }

  /** Forgets all slices; keeps the memory. */
  void reset() {
    used = 0;
    free = SLAB;
  }

  /** Frees the memory. */
  void trim() {
    Arrays.fill(slabs, used, slabs.length, null);
    held = used;
  }
}
