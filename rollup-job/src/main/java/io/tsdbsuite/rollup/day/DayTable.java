package io.tsdbsuite.rollup.day;

import io.tsdbsuite.format.row.PointSummary;
import java.util.Arrays;

/**
 * A hash table with the {@link PointSummary} of each bucket of a day for each series of a metric,
 * keyed by tags, without an object for each series. The buckets of all intervals are numbered by
 * the caller. Open addressing; series are numbered in order of arrival:
 *
 * <pre>
 *   slots   [ 0 | n+1 | 0 | 0 | 1 | ... ]          hash of the tags, linear probing, half empty
 *   states  [ sum min max count | ... ]            4 doubles for each bucket of each series
 *   keys    [ tags of 0 | tags of 1 | ... ]        their ends are in keyEnds
 *   failed  [ 1 bit for each ]
 * </pre>
 *
 * Rows arrive hour by hour in tag order, so a lookup first checks the series after the last one,
 * before it computes a hash. For one thread.
 */
public final class DayTable {
  /** Result of {@link #find} when there is no space for another series. */
  public static final int FULL = -1;

  private static final int LEAST_SERIES = 256;
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  /** Doubles for each series. */
  private final int stateLength;

  private final long maxBytes;
  private int[] slots = new int[2 * LEAST_SERIES];
  private double[] states;
  private int[] keyEnds = new int[LEAST_SERIES];
  private long[] failed = new long[LEAST_SERIES / Long.SIZE];
  private byte[] keys = new byte[16 * LEAST_SERIES];
  private int size;
  private int last;

  /** Bytes of {@link DayValues}. */
  private long reserved;

  /**
   * @param buckets number of buckets of a day, of all intervals together
   * @param maxBytes memory limit of all arrays together, also while they grow, and of further data
   */
  public DayTable(int buckets, long maxBytes) {
    this.stateLength = PointSummary.STATE * buckets;
    this.states = new double[stateLength * LEAST_SERIES];
    this.maxBytes = maxBytes;
  }

  /** Number of series. */
  public int size() {
    return size;
  }

  /** Removes all series. */
  public void clear() {
    // Shrink, so that thousands of small metrics need not clear the slots of one large metric.
    if (slots.length > 4 * LEAST_SERIES && size < slots.length / 8) {
      slots = new int[slots.length / 4];
    } else {
      Arrays.fill(slots, 0);
    }
    Arrays.fill(failed, 0, (size + Long.SIZE - 1) / Long.SIZE, 0);
    size = 0;
    last = 0;
    reserved = 0;
  }

  /**
   * Finds a series, or adds it with empty summaries.
   *
   * @param tags the array with its tag pairs, in the order of the row key
   * @return its number, or {@link #FULL}
   */
  public int find(byte[] tags, int off, int len) {
    int next = last + 1 < size ? last + 1 : 0;
    if (next < size && isKey(next, tags, off, len)) {
      last = next;
      return next;
    }
    int mask = slots.length - 1;
    int slot = hash(tags, off, len) & mask;
    while (slots[slot] != 0) {
      int series = slots[slot] - 1;
      if (isKey(series, tags, off, len)) {
        last = series;
        return series;
      }
      slot = (slot + 1) & mask;
    }
    return add(tags, off, len);
  }

  private int add(byte[] tags, int off, int len) {
    if (!makeRoom(len)) {
      return FULL;
    }
    int from = keyOffset(size);
    System.arraycopy(tags, off, keys, from, len);
    keyEnds[size] = from + len;
    PointSummary empty = new PointSummary();
    for (int at = 0; at < stateLength; at += PointSummary.STATE) {
      empty.save(states, stateLength * size + at);
    }
    enter(size, hash(tags, off, len));
    last = size;
    return size++;
  }

  private void enter(int series, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = series + 1;
  }

  /**
   * Ensures space for one more series with a key of this length; returns false if there is none.
   */
  private boolean makeRoom(int keyBytes) {
    int used = keyOffset(size);
    if (keys.length - used < keyBytes) {
      long length = Math.min(LARGEST_ARRAY, Math.max(used + (long) keyBytes, larger(keys.length)));
      if (length < used + (long) keyBytes || bytes() + length > maxBytes) {
        return false;
      }
      keys = Arrays.copyOf(keys, (int) length);
    }
    if (size == keyEnds.length && !moreSeries()) {
      return false;
    }
    return 2L * (size + 1) <= slots.length || moreSlots();
  }

  private boolean moreSeries() {
    long series = Math.min(LARGEST_ARRAY / stateLength, larger(size));
    series -= series % Long.SIZE;
    long more = series * ((long) stateLength * Double.BYTES + Integer.BYTES);
    if (series <= size || bytes() + more > maxBytes) {
      return false;
    }
    states = Arrays.copyOf(states, (int) series * stateLength);
    keyEnds = Arrays.copyOf(keyEnds, (int) series);
    failed = Arrays.copyOf(failed, (int) series / Long.SIZE);
    return true;
  }

  private boolean moreSlots() {
    long length = 2L * slots.length;
    if (length > LARGEST_ARRAY || bytes() + length * Integer.BYTES > maxBytes) {
      return false;
    }
    slots = new int[(int) length];
    for (int i = 0; i < size; i++) {
      enter(i, hash(keys, keyOffset(i), keyLength(i)));
    }
    return true;
  }

  private static long larger(long length) {
    return length + (length >> 1);
  }

  /** Current size of the arrays, plus the memory for sorting their series and further data. */
  private long bytes() {
    return (long) slots.length * Integer.BYTES
        + (long) states.length * Double.BYTES
        + (long) keyEnds.length * Integer.BYTES
        + (long) failed.length * Long.BYTES
        + keys.length
        + 2L * size * Integer.BYTES
        + reserved;
  }

  /**
   * Takes memory for further data of the series, until {@link #clear}.
   *
   * @return whether the limit leaves as much
   */
  boolean reserve(long more) {
    if (bytes() + more > maxBytes) {
      return false;
    }
    reserved += more;
    return true;
  }

  /** Gives back a part of what {@link #reserve} took. */
  void release(long less) {
    reserved -= less;
  }

  /** Loads the current summary of a bucket of a series. */
  public void load(int series, int bucket, PointSummary summary) {
    summary.load(states, stateLength * series + PointSummary.STATE * bucket);
  }

  /** Stores the current summary of a bucket of a series. */
  public void save(int series, int bucket, PointSummary summary) {
    summary.save(states, stateLength * series + PointSummary.STATE * bucket);
  }

  /** Marks a series as failed, because a row is missing. */
  public void fail(int series) {
    failed[series / Long.SIZE] |= 1L << series;
  }

  /** Whether a series is marked as failed. */
  public boolean isFailed(int series) {
    return (failed[series / Long.SIZE] & (1L << series)) != 0;
  }

  /** The array with the tags of all series. */
  public byte[] keys() {
    return keys;
  }

  /** Start of a series' tags in {@link #keys}; for {@link #size}, the end of the last tags. */
  public int keyOffset(int series) {
    return series == 0 ? 0 : keyEnds[series - 1];
  }

  /** Length of a series' tags, bytes. */
  public int keyLength(int series) {
    return keyEnds[series] - keyOffset(series);
  }

  /** The series in the order of their tags. */
  public int[] inOrder() {
    return SeriesOrder.of(this);
  }

  /** Compares the tags of two series. */
  int compare(int a, int b) {
    return Arrays.compareUnsigned(keys, keyOffset(a), keyEnds[a], keys, keyOffset(b), keyEnds[b]);
  }

  private boolean isKey(int series, byte[] tags, int off, int len) {
    return Arrays.equals(keys, keyOffset(series), keyEnds[series], tags, off, off + len);
  }

  private static int hash(byte[] tags, int off, int len) {
    int hash = 0;
    for (int i = off; i < off + len; i++) {
      hash = 31 * hash + tags[i];
    }
    // UIDs are consecutive and differ in a few low bits, so mix the bits.
    hash *= 0x9e3779b9;
    return hash ^ (hash >>> 16);
  }
}
