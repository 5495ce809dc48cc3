package io.tsdbsuite.format.row;

import java.util.Arrays;

/**
 * The points of one row in one array per field, without an object per point. It grows and is
 * reusable. Points stay in insertion order. Not thread-safe.
 */
public final class PointBuffer {
  /** Set beside the four flags of a point in milliseconds. */
  private static final int MILLIS = 0x10;

  /** Offset of a point in milliseconds, above {@link #MILLIS} and the four flags. */
  static final int OFFSET_SHIFT = 5;

  private int size;

  /** By point: {@link #time}. */
  private int[] times;

  private long[] bits;
  private double[] doubles;

  /** An empty buffer with a small initial capacity. */
  public PointBuffer() {
    this(64);
  }

  /** An empty buffer with this initial capacity, in points. */
  public PointBuffer(int capacity) {
    int room = Math.max(capacity, 1);
    times = new int[room];
    bits = new long[room];
    doubles = new double[room];
  }

  /** Number of points. */
  public int size() {
    return size;
  }

  /** Removes all points; keeps the arrays. */
  public void clear() {
    size = 0;
  }

  /** Time of a point, milliseconds from the base time of the row, 0..3599999. */
  public int offsetMillis(int i) {
    return times[i] >>> OFFSET_SHIFT;
  }

  /** Whether the point is stored with millisecond resolution, on 4 bytes of qualifier. */
  public boolean isMillis(int i) {
    return (times[i] & MILLIS) != 0;
  }

  /** Whether the value is a floating point number. */
  public boolean isFloat(int i) {
    return (times[i] & Qualifier.FLOAT) != 0;
  }

  /** Length of the stored value: 1, 2, 4 or 8 bytes. */
  public int valueLength(int i) {
    return (times[i] & Qualifier.LENGTH_MASK) + 1;
  }

  /** The bytes of the stored value as an unsigned big-endian number. */
  public long rawBits(int i) {
    return bits[i];
  }

  /** The value as a double; integers beyond 2^53 are rounded, as in the TSD. */
  public double doubleValue(int i) {
    return doubles[i];
  }

  /**
   * The values of all points as doubles, in their order: {@link #doubleValue} of each. The array is
   * not a copy, may be longer, and is valid until points are added or removed.
   */
  public double[] doubles() {
    return doubles;
  }

  /**
   * The value of an integer point.
   *
   * @throws IllegalStateException when the point is a floating point number
   */
  public long longValue(int i) {
    if (isFloat(i)) {
      throw new IllegalStateException("point " + i + " is a floating point number");
    }
    return Values.toLong(valueLength(i), bits[i]);
  }

  /**
   * Adds a point.
   *
   * @param offsetMillis time from the base time of the row, 0..3599999
   * @param millis whether it is stored in milliseconds; otherwise the offset is a whole second
   * @param isFloat whether the value is a floating point number
   * @param valueLength 1, 2, 4 or 8; 4 or 8 for floating point numbers
   * @param rawBits the value's bytes as a big-endian number; bits beyond its length are ignored
   * @throws IllegalArgumentException when offset or length are illegal
   */
  public void add(
      int offsetMillis, boolean millis, boolean isFloat, int valueLength, long rawBits) {
    if (offsetMillis < 0 || offsetMillis > Qualifier.MAX_MILLIS) {
      throw new IllegalArgumentException(
          CellProblem.MILLIS_OUT_OF_ROW.rule() + ", found " + offsetMillis);
    }
    if (!millis && offsetMillis % 1000 != 0) {
      throw new IllegalArgumentException(
          "a point in seconds must have a whole second as offset, found " + offsetMillis + " ms");
    }
    Values.requireLegal(isFloat, valueLength);
    int unused = 64 - 8 * valueLength;
    append(
        offsetMillis, millis, Qualifier.flags(isFloat, valueLength), rawBits << unused >>> unused);
  }

  /** Adds an integer on its smallest width; parameters and errors as {@link #add}. */
  public void addInteger(int offsetMillis, boolean millis, long value) {
    add(offsetMillis, millis, false, Values.integerLength(value), value);
  }

  /** Adds a float on 4 bytes; parameters and errors as {@link #add}. */
  public void addFloat(int offsetMillis, boolean millis, float value) {
    add(offsetMillis, millis, true, 4, Float.floatToRawIntBits(value));
  }

  /** Adds a double on 8 bytes; parameters and errors as {@link #add}. */
  public void addDouble(int offsetMillis, boolean millis, double value) {
    add(offsetMillis, millis, true, 8, Double.doubleToRawLongBits(value));
  }

  /** Adds a point without checks. */
  private void append(int offsetMillis, boolean millis, int fourFlags, long rawBits) {
    reserve(1);
    times[size] = time(offsetMillis, millis, fourFlags);
    bits[size] = rawBits;
    doubles[size] =
        Values.toDouble(
            (fourFlags & Qualifier.FLOAT) != 0, (fourFlags & Qualifier.LENGTH_MASK) + 1, rawBits);
    size++;
  }

  /** Adds point {@code i} of another buffer. */
  void append(PointBuffer from, int i) {
    reserve(1);
    times[size] = from.times[i];
    bits[size] = from.bits[i];
    doubles[size] = from.doubles[i];
    size++;
  }

  /** Adds a point without checks, whose value begins at {@code off}. */
  void read(int offsetMillis, boolean millis, int fourFlags, byte[] v, int off) {
    reserve(1);
    times[size] = time(offsetMillis, millis, fourFlags);
    Values.read(v, off, fourFlags, bits, doubles, size);
    size++;
  }

  /**
   * Reserves capacity for {@code points} more, which the caller writes into the three arrays and
   * then commits with {@link #added}.
   */
  void reserve(int points) {
    while (times.length - size < points) {
      int room = times.length * 2;
      times = Arrays.copyOf(times, room);
      bits = Arrays.copyOf(bits, room);
      doubles = Arrays.copyOf(doubles, room);
    }
  }

  /** An entry of {@link #timeArray}. */
  static int time(int offsetMillis, boolean millis, int fourFlags) {
    return offsetMillis << OFFSET_SHIFT | (millis ? MILLIS : 0) | fourFlags;
  }

  /** Offset, resolution and flags as {@link #time}, including the reserved capacity. */
  int[] timeArray() {
    return times;
  }

  /** The raw bits, including the reserved capacity. */
  long[] bitsArray() {
    return bits;
  }

  /** Commits points that were written into all three arrays, {@link #doubles} included. */
  void added(int newSize) {
    size = newSize;
  }

  /** Removes the points from {@code newSize} on. */
  void truncate(int newSize) {
    size = newSize;
  }

  /** The four bits of type and length. */
  int flags(int i) {
    return times[i] & Qualifier.FLAGS_MASK;
  }

  /** Whether two points have the same value bytes; types may differ. */
  boolean sameBytes(int a, int b) {
    return bits[a] == bits[b] && ((times[a] ^ times[b]) & Qualifier.LENGTH_MASK) == 0;
  }

  /** Whether two points of one instant have the same value, type and resolution. */
  boolean sameStored(int a, int b) {
    return times[a] == times[b] && bits[a] == bits[b];
  }
}
