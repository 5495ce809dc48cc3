package io.tsdbsuite.message.write;

import java.nio.charset.StandardCharsets;

/**
 * A reusable view of a range of an array: a name in ISO-8859-1.
 *
 * <p>Inner loops pass slices around instead of one object per name, so the fields are public. The
 * bytes must not be changed: {@link #array} may belong to a dictionary of UIDs.
 */
public final class ByteSlice {
  private static final byte[] EMPTY = {};

  /** The array; the slice is its part from {@code offset} to {@code offset + length}, exclusive. */
  public byte[] array = EMPTY;

  /** Index of the first byte in {@link #array}. */
  public int offset;

  /** Number of bytes. */
  public int length;

  /** Creates an empty slice. */
  public ByteSlice() {}

  /** Points this slice at a range of an array, without a copy. */
  public void set(byte[] bytes, int off, int len) {
    array = bytes;
    offset = off;
    length = len;
  }

  /** Points this slice at a whole array, without a copy. */
  public void set(byte[] bytes) {
    set(bytes, 0, bytes.length);
  }

  /** Makes this slice empty and drops the reference to the array. */
  public void clear() {
    set(EMPTY, 0, 0);
  }

  /** Compares two slices as unsigned bytes, which in ISO-8859-1 is the order of code points. */
  public static int compare(ByteSlice a, ByteSlice b) {
    int common = Math.min(a.length, b.length);
    for (int i = 0; i < common; i++) {
      int difference = (a.array[a.offset + i] & 0xff) - (b.array[b.offset + i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return a.length - b.length;
  }

  /** The name as text; for messages and tests, not for inner loops. */
  @Override
  public String toString() {
    return new String(array, offset, length, StandardCharsets.ISO_8859_1);
  }
}
