package io.tsdbsuite.format.row;

/**
 * UIDs as numbers: unsigned, big-endian, 1..8 bytes wide. A {@code long} holds every UID; UIDs of 8
 * bytes may be negative and must be compared with {@link Long#compareUnsigned(long, long)}.
 */
public final class Uids {
  private Uids() {}

  /**
   * The highest UID that a TSD assigns with {@code width} (1..8) bytes; its counter is a signed
   * long.
   */
  public static long highest(int width) {
    return width >= 8 ? Long.MAX_VALUE : (1L << (8 * width)) - 1;
  }

  /** Reads the UID of {@code width} (1..8) bytes at {@code off}. */
  public static long read(byte[] bytes, int off, int width) {
    long uid = 0;
    for (int i = 0; i < width; i++) {
      uid = uid << 8 | (bytes[off + i] & 0xff);
    }
    return uid;
  }

  /**
   * Writes {@code uid} on {@code width} bytes at {@code off}.
   *
   * @throws IllegalArgumentException when the width is not in 1..8 or the UID does not fit in it
   */
  public static void write(long uid, byte[] bytes, int off, int width) {
    if (width < 1 || width > 8) {
      throw new IllegalArgumentException("UID width must be 1 to 8 bytes, found " + width);
    }
    if (width < 8 && uid >>> (8 * width) != 0) {
      throw new IllegalArgumentException(
          "UID must fit in " + width + " bytes, found " + Long.toUnsignedString(uid));
    }
    long rest = uid;
    for (int i = width - 1; i >= 0; i--) {
      bytes[off + i] = (byte) rest;
      rest >>>= 8;
    }
  }

  /** {@code uid} in a new array of {@code width} bytes; errors as {@link #write}. */
  public static byte[] bytes(long uid, int width) {
    byte[] bytes = new byte[Math.max(0, Math.min(width, 8))];
    write(uid, bytes, 0, width);
    return bytes;
  }
}
