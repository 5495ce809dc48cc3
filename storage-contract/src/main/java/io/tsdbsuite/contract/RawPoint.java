package io.tsdbsuite.contract;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A point to encode in a cell. Encoded independently of storage-format, so that an error there
 * cannot hide in its own test data.
 *
 * @param offset milliseconds from the base time
 * @param millis whether its offset is encoded in milliseconds
 * @param isFloat whether the value is a floating point number
 * @param value the value's bytes
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes of a value; never compared.
record RawPoint(int offset, boolean millis, boolean isFloat, byte[] value) {
  private static final long[] LONGS = {
    0,
    1,
    -1,
    127,
    128,
    -128,
    -129,
    32767,
    32768,
    -32769,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 31,
    9007199254740993L,
    -9007199254740993L,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final double[] DOUBLES = {
    0.0, -0.0, 0.1, 1e-300, 1e15, -1e16, 4.9e-324, Double.MAX_VALUE, 1.0 / 3
  };

  /** A point with a value of any type, except NaN and infinity. */
  static RawPoint random(Random random, int offset, boolean millis) {
    return switch (random.nextInt(5)) {
      case 0 -> new RawPoint(offset, millis, true, floatBytes(random));
      case 1 -> new RawPoint(offset, millis, true, doubleBytes(random));
      case 2 -> new RawPoint(offset, millis, false, smallest(oneOf(random, LONGS)));
      case 3 -> new RawPoint(offset, millis, false, smallest(random.nextInt(2000) - 1000));
      default -> new RawPoint(offset, millis, false, wide(random));
    };
  }

  private static long oneOf(Random random, long[] choice) {
    return choice[random.nextInt(choice.length)];
  }

  private static byte[] floatBytes(Random random) {
    float value = random.nextInt(8) == 0 ? -0.0f : (random.nextFloat() - 0.5f) * 1000;
    return ByteBuffer.allocate(4).putFloat(value).array();
  }

  private static byte[] doubleBytes(Random random) {
    double value =
        random.nextInt(4) == 0
            ? DOUBLES[random.nextInt(DOUBLES.length)]
            : random.nextGaussian() * 1e6;
    return ByteBuffer.allocate(8).putDouble(value).array();
  }

  /** An integer with a random width that holds it. */
  private static byte[] wide(Random random) {
    return ofWidth(random.nextInt(200) - 100, 1 << random.nextInt(4));
  }

  static byte[] smallest(long value) {
    int width = 1;
    while (width < 8 && value != value << (64 - 8 * width) >> (64 - 8 * width)) {
      width *= 2;
    }
    return ofWidth(value, width);
  }

  static byte[] ofWidth(long value, int width) {
    byte[] eight = ByteBuffer.allocate(8).putLong(value).array();
    byte[] bytes = new byte[width];
    for (int i = 1; i <= width; i++) {
      bytes[width - i] = i <= 8 ? eight[8 - i] : 0;
    }
    return bytes;
  }

  byte[] qualifier() {
    return qualifier(value.length);
  }

  /** A qualifier that states this length of the value, 1..8 bytes. */
  byte[] qualifier(int length) {
    int flags = (isFloat ? 8 : 0) + length - 1;
    if (millis) {
      return ByteBuffer.allocate(4).putInt((15 << 28) + offset * 64 + flags).array();
    }
    return ByteBuffer.allocate(2).putShort((short) (offset / 1000 * 16 + flags)).array();
  }

  RawPoint withValue(RawPoint other) {
    return new RawPoint(offset, millis, other.isFloat, other.value);
  }

  RawPoint at(int newOffset, boolean newMillis) {
    return new RawPoint(newOffset, newMillis, isFloat, value);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }
}
