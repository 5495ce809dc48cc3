package io.tsdbsuite.format.packed;

import io.tsdbsuite.format.rollup.SuiteConfig;
import java.util.Arrays;

/**
 * The rollups of one row of a packed table, of one kind: the four values, or those of one further
 * aggregator. It is the view of any number of parts, in any order, and the content of a part to be
 * written.
 *
 * <p>Of each slot the newest entry counts, {@link #put}, {@link #takeBack} or that of a part; of
 * one time a slot that was taken back, else the larger values, as unsigned bits. So parts can come
 * in any order, more than once, and be replaced by one part of several. Allocates nothing for a
 * value; reusable, not thread-safe. Source: docs/storage.md 7.
 */
public final class PackedRow {
  /** Column of the sum. */
  public static final int SUM = 0;

  /** Column of the minimum. */
  public static final int MIN = 1;

  /** Column of the maximum. */
  public static final int MAX = 2;

  /** Column of the count. */
  public static final int COUNT = 3;

  /** Column of the one value of a further aggregator. */
  public static final int FURTHER = 0;

  /** The latest asOf, milliseconds since the epoch. */
  public static final long MAX_ASOF = PackedPart.MAX_ASOF;

  private static final long NONE = -1;

  private final int kind;
  private final long[][] numbers;

  /** Of each slot its asOf, shifted, and whether it was taken back; -1 if it has no entry. */
  private final long[] stamps;

  private final PackedPart part = new PackedPart(this);

  /** Slots before and from here on have no entry. */
  private int first;

  private int end;

  /**
   * Creates an empty row.
   *
   * @param kind as {@link #kind}
   * @param slots {@link io.tsdbsuite.format.rollup.RollupInterval#intervalsPerRow}
   */
  public PackedRow(int kind, int slots) {
    this.kind = kind;
    this.numbers = new long[kind == PackedPart.FOUR ? PackedPart.COLUMNS : 1][slots];
    this.stamps = new long[slots];
    this.first = 0;
    this.end = slots;
    clear();
  }

  /**
   * The first byte of the qualifiers of parts, which is their kind.
   *
   * @param aggregator one of p50 p75 p90 p95 p99 p999 first last; empty for the four values
   * @throws IllegalArgumentException of another one
   */
  public static int kind(String aggregator) {
    int further = SuiteConfig.NAMES.indexOf(aggregator);
    if (further < 0 && !aggregator.isEmpty()) {
      throw new IllegalArgumentException("no packed part has the aggregator " + aggregator);
    }
    return PackedPart.FOUR + 1 + further;
  }

  /** Removes all entries. */
  public void clear() {
    Arrays.fill(stamps, first, Math.max(first, end), NONE);
    first = stamps.length;
    end = 0;
  }

  /** Whether there is no entry. */
  public boolean isEmpty() {
    return end == 0;
  }

  /**
   * Adds the four values of a slot.
   *
   * @param slot intervals since the base time, below the row's number
   * @param asOf when the raw points were read, milliseconds since the epoch, on 48 bits
   * @throws IllegalArgumentException when the time does not fit
   */
  public void put(int slot, long asOf, double sum, double min, double max, long count) {
    take(
        slot,
        checked(asOf),
        Double.doubleToRawLongBits(sum),
        Double.doubleToRawLongBits(min),
        Double.doubleToRawLongBits(max),
        Long.reverseBytes(count));
  }

  /** Adds the value of a further aggregator; see the other method. */
  public void put(int slot, long asOf, double value) {
    take(slot, checked(asOf), Double.doubleToRawLongBits(value), 0, 0, 0);
  }

  /** Adds that the rollup of a slot was taken back; arguments as {@link #put}. */
  public void takeBack(int slot, long asOf) {
    take(slot, checked(asOf) | 1, 0, 0, 0, 0);
  }

  /**
   * Adds all slots of a part, without change if it is refused.
   *
   * @param key with offset and length the row key
   * @throws CorruptPartException when the part breaks a rule of the layout, is of another kind, row
   *     key or version, or has a slot outside the row
   */
  public void add(
      byte[] key, int kOff, int kLen, byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen)
      throws CorruptPartException {
    part.read(key, kOff, kLen, q, qOff, qLen, v, vOff, vLen);
  }

  /**
   * The value of a part with all entries; equal entries have equal bytes.
   *
   * @throws IllegalStateException when there is no entry
   */
  public byte[] value() {
    if (isEmpty()) {
      throw new IllegalStateException("a packed part must have a slot");
    }
    return part.value();
  }

  /**
   * The qualifier of the part.
   *
   * @param key with offset and length the row key
   * @param value result of {@link #value}
   */
  public byte[] qualifier(byte[] key, int off, int len, byte[] value) {
    return part.qualifier(key, off, len, value);
  }

  /** The newest time of a slot, milliseconds since the epoch: the timestamp of the part's cell. */
  public long asOf() {
    long newest = NONE;
    for (int slot = first; slot < end; slot++) {
      newest = Math.max(newest, stamps[slot]);
    }
    return newest >> 1;
  }

  /** Whether a slot has values. */
  public boolean has(int slot) {
    return (stamps[slot] & 1) == 0;
  }

  /** Whether a slot was taken back. */
  public boolean isTakenBack(int slot) {
    return stamps[slot] >= 0 && !has(slot);
  }

  /** When a slot was read, milliseconds since the epoch; -1 if it has no entry. */
  public long asOf(int slot) {
    return stamps[slot] >> 1;
  }

  /** A value other than the count, of a slot that has it. */
  public double value(int column, int slot) {
    return Double.longBitsToDouble(numbers[column][slot]);
  }

  /** The count of a slot that has it. */
  public long count(int slot) {
    return Long.reverseBytes(numbers[COUNT][slot]);
  }

  /**
   * Whether a slot has the same values, bit by bit, in another row of this kind, or none in both.
   * Times are not compared, and a slot that was taken back is one without values.
   */
  public boolean isEqual(int slot, PackedRow other) {
    if (!has(slot) || !other.has(slot)) {
      return has(slot) == other.has(slot);
    }
    boolean isEqual = true;
    for (int column = 0; column < numbers.length; column++) {
      isEqual &= numbers[column][slot] == other.numbers[column][slot];
    }
    return isEqual;
  }

  private static long checked(long asOf) {
    if (asOf < 0 || asOf > MAX_ASOF) {
      throw new IllegalArgumentException(
          "asOf must be milliseconds since the epoch on 48 bits, found " + asOf);
    }
    return asOf << 1;
  }

  /** The order of entries of a slot; a larger one is newer, or of one time that without values. */
  static long stamp(long asOf, boolean isGone) {
    return asOf << 1 | (isGone ? 1 : 0);
  }

  /** Adds an entry; the numbers after the first are 0 if there is one column. */
  void take(int slot, long stamp, long n0, long n1, long n2, long n3) {
    long old = stamps[slot];
    if (stamp < old || (stamp == old && !isLarger(slot, n0, n1, n2, n3))) {
      return;
    }
    stamps[slot] = stamp;
    numbers[0][slot] = n0;
    if (numbers.length > 1) {
      numbers[1][slot] = n1;
      numbers[2][slot] = n2;
      numbers[3][slot] = n3;
    }
    first = Math.min(first, slot);
    end = Math.max(end, slot + 1);
  }

  /** Whether all entries of some slots, if there are any, are older. */
  boolean isOlder(int from, int to, long stamp) {
    boolean isOlder = true;
    for (int slot = from; slot < to; slot++) {
      isOlder &= stamps[slot] < stamp;
    }
    return isOlder;
  }

  /** Replaces the entries of some slots, without their numbers. */
  void fill(int from, int to, long stamp) {
    Arrays.fill(stamps, from, to, stamp);
    first = Math.min(first, from);
    end = Math.max(end, to);
  }

  private boolean isLarger(int slot, long n0, long n1, long n2, long n3) {
    int order = Long.compareUnsigned(n0, numbers[0][slot]);
    if (order == 0 && numbers.length > 1) {
      order = Long.compareUnsigned(n1, numbers[1][slot]);
      order = order != 0 ? order : Long.compareUnsigned(n2, numbers[2][slot]);
      order = order != 0 ? order : Long.compareUnsigned(n3, numbers[3][slot]);
    }
    return order > 0;
  }

  int kind() {
    return kind;
  }

  int slots() {
    return stamps.length;
  }

  int columns() {
    return numbers.length;
  }

  long[] numbers(int column) {
    return numbers[column];
  }

  int first() {
    return first;
  }

  int end() {
    return end;
  }

  long stamp(int slot) {
    return stamps[slot];
  }

  /** Number of runs of entries. */
  int runs() {
    int runs = 0;
    for (int slot = first; slot < end; slot = runEnd(slot)) {
      runs += stamps[slot] == NONE ? 0 : 1;
    }
    return runs;
  }

  /** The end of the slots, from this one on, whose entries have one time and form, or none. */
  int runEnd(int slot) {
    int next = slot + 1;
    while (next < end && stamps[next] == stamps[slot]) {
      next++;
    }
    return next;
  }
}
