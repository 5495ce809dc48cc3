package io.tsdbsuite.rollup.verify;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One rollup of one side, computed or stored, as key and value of a sortable record.
 *
 * <pre>
 *   key     | length 2 | TSUID | interval 1 | time 4 |
 *   value   | flags 1 | sum 8 | min 8 | max 8 | count 8 |
 *
 *   length    of the TSUID, so that no TSUID is a prefix of another
 *   interval  number among the intervals of the run, the narrowest is 0
 *   time      start of the interval, seconds since the epoch, UTC
 *   flags     bits 0 to 3: the value is present, in the order of {@link Aggregate};
 *             0x40: stored twice with two values; 0x80: of the stored side
 * </pre>
 *
 * <p>Everything is big-endian and sorts as unsigned bytes; values are doubles.
 */
public final class VerifyRecord {
  /**
   * Key prefix that sorts after every series; keys with this prefix are reserved for the caller.
   */
  public static final int NO_SERIES = 0xffff;

  private static final int STORED = 0x80;
  private static final int TWICE = 0x40;
  private static final int LENGTH_BYTES = Short.BYTES;
  private static final int TAIL_BYTES = 1 + Integer.BYTES;
  private static final int VALUE_BYTES = 1 + Aggregate.values().length * Double.BYTES;

  private VerifyRecord() {}

  /**
   * Creates a key.
   *
   * @param interval number of the interval, 0 to 255
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

  /** Creates the value of a rollup computed from raw data. */
  public static byte[] computed(double sum, double min, double max, double count) {
    return computed(0xf, sum, min, max, count);
  }

  /**
   * Creates the value of a computed rollup.
   *
   * @param present bits of the present values, in the order of {@link Aggregate}
   */
  static byte[] computed(int present, double sum, double min, double max, double count) {
    return ByteBuffer.allocate(VALUE_BYTES)
        .put((byte) present)
        .putDouble(sum)
        .putDouble(min)
        .putDouble(max)
        .putDouble(count)
        .array();
  }

  /**
   * Creates the value of a stored rollup.
   *
   * @param present bits of the present values, in the order of {@link Aggregate}
   * @param twice whether a value is stored twice, with different values
   * @param values array with the values, starting at {@code at}
   */
  public static byte[] stored(int present, boolean twice, double[] values, int at) {
    ByteBuffer value =
        ByteBuffer.allocate(VALUE_BYTES).put((byte) (present | (twice ? TWICE : 0) | STORED));
    for (int i = 0; i < Aggregate.values().length; i++) {
      value.putDouble(values[at + i]);
    }
    return value.array();
  }

  /** The series of a key. */
  public static byte[] tsuid(byte[] key) {
    return Arrays.copyOfRange(key, LENGTH_BYTES, key.length - TAIL_BYTES);
  }

  /** The number of the interval of a key. */
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
    return (value[0] & STORED) != 0;
  }

  /** Whether a value is stored twice, with different values. */
  public static boolean isTwice(byte[] value) {
    return (value[0] & TWICE) != 0;
  }

  /** Whether an aggregate is present. */
  public static boolean has(byte[] value, int aggregate) {
    return ((value[0] >> aggregate) & 1) != 0;
  }

  /** The value of an aggregate. */
  public static double get(byte[] value, int aggregate) {
    return ByteBuffer.wrap(value).getDouble(1 + aggregate * Double.BYTES);
  }
}
