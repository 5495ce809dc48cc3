package io.tsdbsuite.rollup.verify;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One rollup of one side, computed or stored, as key and value of a sortable record; its histogram
 * is a record of its own.
 *
 * <pre>
 *   key         | length 2 | TSUID | interval 1 | time 4 |
 *   value       | flags 2 | values 8 each |
 *   histogram   | flags 2 | codec id 1 | bytes |
 *
 *   length    of the TSUID, so that no TSUID is a prefix of another
 *   interval  number among the levels of the run: its intervals, the narrowest is 0, then those of
 *             histograms and of packed rows
 *   time      start of the interval, seconds since the epoch, UTC
 *   flags     bits from 0: the value is present, by its place in {@link Aggregators};
 *             0x2000: taken back, without values; 0x4000: stored twice with two values; 0x8000:
 *             of the stored side. Of a histogram the last alone
 *   values    of all aggregators of the run, by place
 * </pre>
 *
 * <p>Everything is big-endian and sorts as unsigned bytes; values are doubles.
 */
public final class VerifyRecord {
  /**
   * Key prefix that sorts after every series; keys with this prefix are reserved for the caller.
   */
  public static final int NO_SERIES = 0xffff;

  private static final int STORED = 0x8000;
  private static final int TWICE = 0x4000;
  private static final int TAKEN_BACK = 0x2000;
  private static final int LENGTH_BYTES = Short.BYTES;

  /** Where the bytes of a histogram begin. */
  static final int HISTOGRAM = Short.BYTES + 1;

  private static final int TAIL_BYTES = 1 + Integer.BYTES;

  private VerifyRecord() {}

  /**
   * Creates a key.
   *
   * @param interval number of the level, 0 to 255
   * @param time start of the interval, seconds since the epoch
   */
  public static byte[] key(byte[] tsuid, int interval, long time) {
    return ByteBuffer.allocate(LENGTH_BYTES + tsuid.length + TAIL_BYTES)
        .putShort((short) tsuid.length)
        .put(tsuid)
        .put((byte) interval)
        .putInt((int) time)
        .array();
  }

  /**
   * Creates the value of a computed rollup.
   *
   * @param present bits of the present values
   * @param values of all aggregators of the run, by place
   */
  public static byte[] computed(int present, double... values) {
    return value(present, values, 0, values.length);
  }

  /**
   * Creates the value of a stored rollup.
   *
   * @param present bits of the present values
   * @param twice whether a value is stored twice, with different values
   * @param values array with the values, starting at {@code at}
   * @param number of the aggregators of the run
   */
  public static byte[] stored(int present, boolean twice, double[] values, int at, int number) {
    return value(present | (twice ? TWICE : 0) | STORED, values, at, number);
  }

  /** Creates the value of a stored rollup that was taken back. */
  public static byte[] takenBack() {
    return value(STORED | TAKEN_BACK, new double[0], 0, 0);
  }

  private static byte[] value(int flags, double[] values, int at, int number) {
    ByteBuffer value =
        ByteBuffer.allocate(Short.BYTES + number * Double.BYTES).putShort((short) flags);
    for (int i = 0; i < number; i++) {
      value.putDouble(values[at + i]);
    }
    return value.array();
  }

  /**
   * Creates the value of a histogram.
   *
   * @param isStored of the stored side
   * @param codec its id, 0 to 127
   * @param bytes array with the histogram without the id, starting at {@code off}
   */
  public static byte[] histogram(boolean isStored, int codec, byte[] bytes, int off, int len) {
    return ByteBuffer.allocate(HISTOGRAM + len)
        .putShort((short) (isStored ? STORED : 0))
        .put((byte) codec)
        .put(bytes, off, len)
        .array();
  }

  /** Whether two histograms have the same codec and bytes. */
  public static boolean isSameHistogram(byte[] a, byte[] b) {
    return Arrays.equals(a, Short.BYTES, a.length, b, Short.BYTES, b.length);
  }

  /** The id of the codec of a histogram. */
  public static int codec(byte[] histogram) {
    return histogram[Short.BYTES];
  }

  /** The series of a key. */
  public static byte[] tsuid(byte[] key) {
    return Arrays.copyOfRange(key, LENGTH_BYTES, key.length - TAIL_BYTES);
  }

  /** The number of the level of a key. */
  public static int interval(byte[] key) {
    return key[key.length - TAIL_BYTES] & 0xff;
  }

  /** The start of the interval of a key, seconds since the epoch. */
  public static long time(byte[] key) {
    return ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES) & 0xffffffffL;
  }

  /** Whether two keys are of one series. */
  public static boolean sameSeries(byte[] a, byte[] b) {
    return Arrays.equals(a, 0, a.length - TAIL_BYTES, b, 0, b.length - TAIL_BYTES);
  }

  /** Whether a value is of the stored side. */
  public static boolean isStored(byte[] value) {
    return (flags(value) & STORED) != 0;
  }

  /** Whether a value is stored twice, with different values. */
  public static boolean isTwice(byte[] value) {
    return (flags(value) & TWICE) != 0;
  }

  /** Whether a value is that of a rollup that was taken back. */
  public static boolean isTakenBack(byte[] value) {
    return (flags(value) & TAKEN_BACK) != 0;
  }

  /** Whether the value of an aggregator is present. */
  public static boolean has(byte[] value, int place) {
    return ((flags(value) >> place) & 1) != 0;
  }

  /** The value of an aggregator. */
  public static double get(byte[] value, int place) {
    return ByteBuffer.wrap(value).getDouble(Short.BYTES + place * Double.BYTES);
  }

  private static int flags(byte[] value) {
    return ByteBuffer.wrap(value).getShort();
  }
}
