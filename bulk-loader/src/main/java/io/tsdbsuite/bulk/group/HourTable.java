package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.row.PackedPoints;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The partial hours in memory: a slot for each (series, hour), its points in a chain of slices. No
 * object for a point, a series or an hour. For one thread.
 *
 * <pre>
 *   slot    | series | hour | first | at | end | last | count | state |      8 ints
 *
 *   hour    base time / 3600
 *   first   address of the first slice
 *   at, end addresses in the last slice: of the next byte, and of its link
 *   last    offset of the point added last, ms
 *   state   level of the last slice | UNSORTED
 *
 *   index   (series, hour) to slot
 *   slot    first ---- slice 16 -- slice 32 -- slice 64 ...      see SliceStore
 *                                              ^ at
 * </pre>
 *
 * <ol>
 *   <li>{@link #slot} finds or opens the slot of a point.
 *   <li>{@link #add} packs the point, qualifier and value, behind the last one; if the slice has no
 *       room it goes on in the next, larger slice. A point that is not later than the last one
 *       marks the hour as unsorted.
 *   <li>When memory is full, by {@link #used}, the caller spills: {@link #gather} joins the slices
 *       of a slot to one array, {@link #touch} first reads a little of several slots so that they
 *       wait for memory together.
 *   <li>{@link #reset} forgets all, and keeps the memory for the next spill.
 * </ol>
 */
final class HourTable {
  /** Slots that are touched together at most. */
  static final int TOUCH = 32;

  private static final int SERIES = 0;
  private static final int HOUR = 1;
  private static final int FIRST = 2;
  private static final int AT = 3;
  private static final int END = 4;
  private static final int LAST = 5;
  private static final int COUNT = 6;
  private static final int STATE = 7;

  private static final int FIELDS_SHIFT = 3;
  private static final int PAGE_SHIFT = 12;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;
  private static final int PAGE_INTS = 1 << (PAGE_SHIFT + FIELDS_SHIFT);
  private static final int PAGE_BYTES = PAGE_INTS * 4 + 16;
  private static final int LEVEL_MASK = 0x3fffffff;
  private static final int UNSORTED = 0x40000000;
  private static final VarHandle NATIVE_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final SliceStore store = new SliceStore();
  private final byte[] split = new byte[PackedPoints.MAX_LENGTH + PackedPoints.PADDING];
  private int[][] pages = new int[16][];
  private int pagesHeld;
  private int size;
  private final SlotIndex index = new SlotIndex();
  private long largest;
  private long largestUnsorted;
  private byte[] gathered = new byte[0];
  private final int[] firsts = new int[TOUCH];

  /** Written so that the JIT does not drop the reads. */
  @SuppressWarnings("unused")
  private int touched;

  /** Number of partial hours. */
  int size() {
    return size;
  }

  /** The slot of an hour, made if it is not there. */
  int slot(int series, int hour) {
    int slot = index.find(this, series, hour);
    if (slot == SlotIndex.NONE) {
      slot = open(series, hour);
      index.add(this, slot);
    }
    return slot;
  }

  /** Whether a slot belongs to this series and hour. */
  boolean is(int slot, int series, int hour) {
    int[] page = pages[slot >>> PAGE_SHIFT];
    int r = (slot & PAGE_MASK) << FIELDS_SHIFT;
    return page[r + SERIES] == series && page[r + HOUR] == hour;
  }

  private int open(int series, int hour) {
    int number = size >>> PAGE_SHIFT;
    if (number == pages.length) {
      pages = Arrays.copyOf(pages, number * 2);
    }
    if (pages[number] == null) {
      pages[number] = new int[PAGE_INTS];
      pagesHeld++;
    }
    int[] page = pages[number];
    int r = (size & PAGE_MASK) << FIELDS_SHIFT;
    int slice = store.allocate(0);
    page[r + SERIES] = series;
    page[r + HOUR] = hour;
    page[r + FIRST] = slice;
    page[r + AT] = slice;
    page[r + END] = slice + SliceStore.room(0);
    page[r + LAST] = -1;
    page[r + COUNT] = 0;
    page[r + STATE] = 0;
    return size++;
  }

  /**
   * Adds a point.
   *
   * @param qualifier its bytes as a number
   * @param qualifierLength 2 or 4
   * @param value its bytes at the high end
   * @param valueLength 1, 2, 4 or 8
   */
  void add(
      int slot, int offsetMillis, int qualifier, int qualifierLength, long value, int valueLength) {
    int[] page = pages[slot >>> PAGE_SHIFT];
    int r = (slot & PAGE_MASK) << FIELDS_SHIFT;
    if (offsetMillis <= page[r + LAST]) {
      unsorted(page, r);
    }
    page[r + LAST] = offsetMillis;
    page[r + COUNT]++;
    int at = page[r + AT];
    // A write takes 8 bytes for the value; the link, not yet written, is room for 4 of them.
    if (page[r + END] - at >= qualifierLength + Math.max(valueLength, SliceStore.LINK)) {
      int start = at & SliceStore.OFFSET_MASK;
      int end =
          PackedPoints.write(
              store.slabs[at >>> SliceStore.SLAB_SHIFT],
              start,
              qualifier,
              qualifierLength,
              value,
              valueLength);
      page[r + AT] = at + end - start;
    } else {
      addSplit(
          page, r, PackedPoints.write(split, 0, qualifier, qualifierLength, value, valueLength));
    }
  }

  private void unsorted(int[] page, int r) {
    if ((page[r + STATE] & UNSORTED) == 0) {
      page[r + STATE] |= UNSORTED;
      noteLargest(page, r);
    }
  }

  private void addSplit(int[] page, int r, int length) {
    int done = 0;
    while (true) {
      int at = page[r + AT];
      int part = Math.min(length - done, page[r + END] - at);
      System.arraycopy(
          split,
          done,
          store.slabs[at >>> SliceStore.SLAB_SHIFT],
          at & SliceStore.OFFSET_MASK,
          part);
      page[r + AT] = at + part;
      done += part;
      if (done == length) {
        return;
      }
      nextSlice(page, r);
    }
  }

  private void nextSlice(int[] page, int r) {
    page[r + STATE]++;
    int level = page[r + STATE] & LEVEL_MASK;
    int slice = store.allocate(level);
    int link = page[r + END];
    NATIVE_INT.set(
        store.slabs[link >>> SliceStore.SLAB_SHIFT], link & SliceStore.OFFSET_MASK, slice);
    page[r + AT] = slice;
    page[r + END] = slice + SliceStore.room(level);
    noteLargest(page, r);
  }

  private void noteLargest(int[] page, int r) {
    long bytes = room(page[r + STATE] & LEVEL_MASK);
    largest = Math.max(largest, bytes);
    if ((page[r + STATE] & UNSORTED) != 0) {
      largestUnsorted = Math.max(largestUnsorted, PointDeduplicator.memory(bytes, page[r + COUNT]));
    }
  }

  /** Bytes that the slices up to a level hold. */
  private static long room(int level) {
    return level <= 7 ? 16L << (level + 1) : 4096L + (level - 7) * 2048L;
  }

  int series(int slot) {
    return field(slot, SERIES);
  }

  int hour(int slot) {
    return field(slot, HOUR);
  }

  int count(int slot) {
    return field(slot, COUNT);
  }

  /** Offset of the point added last, milliseconds; the newest if they ascend. */
  int last(int slot) {
    return field(slot, LAST);
  }

  /** Whether each point came later than the one before it. */
  boolean ascending(int slot) {
    return (field(slot, STATE) & UNSORTED) == 0;
  }

  private int field(int slot, int field) {
    return pages[slot >>> PAGE_SHIFT][((slot & PAGE_MASK) << FIELDS_SHIFT) + field];
  }

  /**
   * Reads a little of each slot and its points. Slots that are far apart then wait for memory
   * together, not one after the other.
   */
  void touch(int[] slots, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      firsts[i] = field(slots[i], FIRST);
    }
    for (int i = 0; i < n; i++) {
      sum += store.slabs[firsts[i] >>> SliceStore.SLAB_SHIFT][firsts[i] & SliceStore.OFFSET_MASK];
    }
    touched = sum;
  }

  /** Copies the points of a slot to {@link #gathered()}, after {@code off}; returns the end. */
  int gather(int slot, int off) {
    int levels = field(slot, STATE) & LEVEL_MASK;
    long needed = off + room(levels) + PackedPoints.PADDING;
    if (gathered.length < needed) {
      gathered = Arrays.copyOf(gathered, Math.toIntExact(needed + needed / 8));
    }
    int to = off;
    int address = field(slot, FIRST);
    for (int level = 0; level < levels; level++) {
      int room = SliceStore.room(level);
      byte[] slab = store.slabs[address >>> SliceStore.SLAB_SHIFT];
      int from = address & SliceStore.OFFSET_MASK;
      System.arraycopy(slab, from, gathered, to, room);
      to += room;
      address = (int) NATIVE_INT.get(slab, from + room);
    }
    int rest = field(slot, AT) - address;
    System.arraycopy(
        store.slabs[address >>> SliceStore.SLAB_SHIFT],
        address & SliceStore.OFFSET_MASK,
        gathered,
        to,
        rest);
    return to + rest;
  }

  /** Points of the last call of {@link #gather}, padded. */
  byte[] gathered() {
    return gathered;
  }

  /** Bytes in use, and those that a spill will take for gathering, sorting and settling. */
  long used() {
    int inPages = (size + PAGE_MASK) >>> PAGE_SHIFT;
    return store.used() + (long) inPages * PAGE_BYTES + tables() + spilling();
  }

  /** Memory in use and memory kept for the next points, bytes. */
  long held() {
    return store.held() + (long) pagesHeld * PAGE_BYTES + tables() + spilling();
  }

  private long spilling() {
    return largest + largest / 8 + largestUnsorted + 8L * size;
  }

  private long tables() {
    return pages.length * 4L + index.used(size);
  }

  /** Whether {@code bytes} more bytes exceed the addressable memory. */
  boolean full(long more) {
    return store.full(more);
  }

  /** Forgets all; keeps the memory. */
  void reset() {
    store.reset();
    size = 0;
    largest = 0;
    largestUnsorted = 0;
    index.clear();
    if (gathered.length > 1 << 18) {
      gathered = new byte[0];
    }
  }

  /** Frees the memory. */
  void trim() {
    store.trim();
    int inPages = (size + PAGE_MASK) >>> PAGE_SHIFT;
    Arrays.fill(pages, inPages, pages.length, null);
    pagesHeld = inPages;
    if (size == 0) {
      index.trim();
    }
  }
}
