package io.tsdbsuite.format.histogram;

import java.util.Arrays;

/**
 * Reads or writes the bytes of a histogram: numbers as varints, 7 bits a byte, low first, the ninth
 * byte whole (the same as Kryo's for positive numbers).
 */
final class PayloadBytes {
  private static final int MAX_VARINT = 9;

  private final String what;
  private final int from;
  private final int end;
  private byte[] bytes;
  private int at;

  /** Reads or writes from {@code off} on. {@code what} the bytes are, for messages. */
  PayloadBytes(String what, byte[] bytes, int off, int len) {
    this.what = what;
    this.bytes = bytes;
    from = off;
    at = off;
    end = off + len;
  }

  IllegalArgumentException refused(String rule, Object found) {
    return new IllegalArgumentException(
        what
            + ", "
            + (end - from)
            + " bytes, before byte "
            + (at - from)
            + ": "
            + rule
            + ", found "
            + found);
  }

  /** The next {@code length} bytes, at most 4, big-endian; signed if 4. */
  int fixed(String name, int length) {
    if (end - at < length) {
      throw refused(name + " must have " + length + " bytes", end - at);
    }
    int value = 0;
    for (int i = 0; i < length; i++) {
      value = (value << 8) | (bytes[at++] & 0xff);
    }
    return value;
  }

  /** The next varint, of any 64 bits, in any length. */
  long varint(String name) {
    long value = 0;
    for (int i = 0; i < MAX_VARINT; i++) {
      long next = fixed(name, 1);
      if (i == MAX_VARINT - 1 || next < 0x80) {
        return value | (next << (7 * i));
      }
      value |= (next & 0x7f) << (7 * i);
    }
    throw new AssertionError("a varint has at most nine bytes");
  }

  /**
   * The next varint in its shortest form, from {@code least} to {@code most}, which are positive.
   */
  long number(String name, long least, long most) {
    int start = at;
    long value = varint(name);
    if (at - start > 1 && bytes[at - 1] == 0) {
      throw refused(name + " must have the shortest form", (at - start) + " bytes");
    }
    if (value < least || value > most) {
      throw refused(name + " must be " + least + " to " + most, Long.toUnsignedString(value));
    }
    return value;
  }

  void expectEnd() {
    if (at != end) {
      throw refused("no byte must follow", end - at);
    }
  }

  /** Writes a big-endian number of at most 4 bytes. */
  void writeFixed(int value, int length) {
    reserve();
    for (int i = length - 1; i >= 0; i--) {
      bytes[at++] = (byte) (value >> (8 * i));
    }
  }

  /** Writes a varint, its shortest form. */
  void write(long value) {
    reserve();
    long rest = value;
    for (int i = 1; i < MAX_VARINT && rest >>> 7 != 0; i++) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
  }

  private void reserve() {
    if (bytes.length - at < MAX_VARINT) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
  }

  byte[] written() {
    return Arrays.copyOfRange(bytes, from, at);
  }
}
