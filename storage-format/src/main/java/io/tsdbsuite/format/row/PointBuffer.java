package io.tsdbsuite.format.row;

import java.util.Arrays;

/**
 * The points of one row in one array per field, without an object per point. It grows and is
 * reusable. Points stay in insertion order. Not thread-safe.
 */
public final class PointBuffer {
  /** Set beside the four flags of a point in milliseconds. */
  static final int MILLIS = 0x10;

  private int size;
  private int[] offsets;
  private long[] bits;
  private byte[] flags;

  /** The values of the first points as doubles; the rest is not converted yet. */
  private double[] doubles = new double[0];

  private int converted;

  /** An empty buffer with a small initial capacity. */
  public PointBuffer() {
    this(64);
  }

  /** An empty buffer with this initial capacity, in points. */
  public PointBuffer(int capacity) {
    int room = Math.max(capacity, 1);
    offsets = new int[room];
    bits = new long[room];
    flags = new byte[room];
  }

  /** Number of points. */
  public int size() {
    return size;
  }

  /** Removes all points; keeps the arrays. */
  public void clear() {
    size = 0;
    converted = 0;
  }

  /** Time of a point, milliseconds from the base time of the row, 0..3599999. */
  public int offsetMillis(int i) {
    return offsets[i];
  }

  /** Whether the point is stored with millisecond resolution, on 4 bytes of qualifier. */
  public boolean isMillis(int i) {
    return (flags[i] & MILLIS) != 0;
  }

  /** Whether the value is a floating point number. */
  public boolean isFloat(int i) {
    return (flags[i] & Qualifier.FLOAT) != 0;
  }

  /** Length of the stored value: 1, 2, 4 or 8 bytes. */
  public int valueLength(int i) {
    return (flags[i] & Qualifier.LENGTH_MASK) + 1;
  }

  /** The bytes of the stored value as an unsigned big-endian number. */
  public long rawBits(int i) {
    return bits[i];
  }

  /** The value as a double; integers beyond 2^53 are rounded, as in the TSD. */
  public double doubleValue(int i) {
    int f = flags[i];
    return Values.toDouble((f & Qualifier.FLOAT) != 0, (f & Qualifier.LENGTH_MASK) + 1, bits[i]);
  }

  /**
   * The values of all points as doubles, in their order: {@link #doubleValue} of each. The array is
   * not a copy, may be longer, and is valid until points are added or removed.
   */
  public double[] doubles() {
    double[] values = doublesArray();
    if (converted < size) {
      Values.toDoubles(flags, bits, converted, size, values);
      converted = size;
    }
    return values;
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
  void append(int offsetMillis, boolean millis, int fourFlags, long rawBits) {
    if (size == offsets.length) {
      grow();
    }
    offsets[size] = offsetMillis;
    bits[size] = rawBits;
    flags[size] = (byte) (millis ? fourFlags | MILLIS : fourFlags);
    size++;
  }

  /** Adds point {@code i} of another buffer. */
  void append(PointBuffer from, int i) {
    if (size == offsets.length) {
      grow();
    }
    offsets[size] = from.offsets[i];
    bits[size] = from.bits[i];
    flags[size] = from.flags[i];
    size++;
  }

  /**
   * Reserves capacity for {@code more} points, which the caller writes into the four arrays and
   * then commits with {@link #added}.
   */
  void reserve(int points) {
    while (offsets.length - size < points) {
      grow();
    }
  }

  /** The offsets, including the reserved capacity. */
  int[] offsetArray() {
    return offsets;
  }

  /** The raw bits, including the reserved capacity. */
  long[] bitsArray() {
    return bits;
  }

  /** The flags with {@link #MILLIS}, including the reserved capacity. */
  byte[] flagsArray() {
    return flags;
  }

  /** The values as doubles, including the reserved capacity. */
  double[] doublesArray() {
    if (doubles.length < offsets.length) {
      doubles = Arrays.copyOf(doubles, offsets.length);
    }
    return doubles;
  }

  /** Commits points that were written into all four arrays. */
  void added(int newSize) {
    converted = converted == size ? newSize : converted;
    size = newSize;
  }

  /** Removes the points from {@code newSize} on. */
  void truncate(int newSize) {
    size = newSize;
    converted = Math.min(converted, newSize);
  }

  /** The four bits of type and length. */
  int flags(int i) {
    return flags[i] & Qualifier.FLAGS_MASK;
  }

  /** Whether two points have the same value bytes; types may differ. */
  boolean sameBytes(int a, int b) {
    return bits[a] == bits[b] && ((flags[a] ^ flags[b]) & Qualifier.LENGTH_MASK) == 0;
  }

  /** Whether two points have the same value, type and resolution. */
  boolean sameStored(int a, int b) {
    return bits[a] == bits[b] && flags[a] == flags[b];
  }

  private void grow() {
    int room = offsets.length * 2;
    offsets = Arrays.copyOf(offsets, room);
    bits = Arrays.copyOf(bits, room);
    flags = Arrays.copyOf(flags, room);
  }
}
