package io.tsdbsuite.rollup.uid;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reusable view of some bytes of an array, here of a name in ISO-8859-1.
 *
 * <p>The fields are public because this is what the inner loops pass around instead of an object
 * per name. Whoever holds a slice must not write to {@link #array}: it may be a dictionary's own.
 */
public final class ByteSlice {
  private static final byte[] EMPTY = {};

  /** The bytes; only {@code offset} to {@code offset + length} belong to this slice. */
  public byte[] array = EMPTY;

  /** Index of the first byte in {@link #array}. */
  public int offset;

  /** Number of bytes. */
  public int length;

  /** An empty slice, to be filled. */
  public ByteSlice() {}

  /** Points this slice at some bytes, which are not copied. */
  public void set(byte[] bytes, int off, int len) {
    array = bytes;
    offset = off;
    length = len;
  }

  /** Points this slice at a whole array, which is not copied. */
  public void set(byte[] bytes) {
    set(bytes, 0, bytes.length);
  }

  /** Makes this slice empty and lets go of the array. */
  public void clear() {
    set(EMPTY, 0, 0);
  }

  /** Compares two slices as unsigned bytes: for ISO-8859-1 that is the order of code points. */
  public static int compare(ByteSlice a, ByteSlice b) {
    return Arrays.compareUnsigned(
        a.array, a.offset, a.offset + a.length, b.array, b.offset, b.offset + b.length);
  }

  /** The bytes as text, ISO-8859-1; for messages and tests, not for inner loops. */
  @Override
  public String toString() {
    return new String(array, offset, length, StandardCharsets.ISO_8859_1);
  }
}
