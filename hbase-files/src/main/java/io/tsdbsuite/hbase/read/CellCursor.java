package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.io.WritableUtils;

/**
 * Iterates over the cells of a data block of an HFile, big-endian:
 *
 * <pre>
 * +-----------+-------------+-----+-------+------------+------+----------+
 * | key len 4 | value len 4 | key | value | tags len 2 | tags | sequence |
 * +-----------+-------------+-----+-------+------------+------+----------+
 *                              |             where the file has    1-9, where the file has
 *   +-----------+-----+--------------+--------+-----------+-------------+--------+
 *   | row len 2 | row | family len 1 | family | qualifier | timestamp 8 | type 1 |
 *   +-----------+-----+--------------+--------+-----------+-------------+--------+
 * </pre>
 *
 * Every length is checked against the block, so that a corrupt length cannot lead out of the block.
 * The fields describe the cell that {@link #next} found.
 */
final class CellCursor {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int LENGTHS = 2 * Integer.BYTES;
  private static final int TIMESTAMP_AND_TYPE = Long.BYTES + 1;

  /** Length of a key with empty row, family and qualifier. */
  private static final int LEAST_KEY = Short.BYTES + 1 + TIMESTAMP_AND_TYPE;

  private static final byte PUT = KeyValue.Type.Put.getCode();

  private final boolean tags;
  private final boolean sequence;

  private byte[] array = {};
  private int at;
  private int end;
  private boolean plain;

  int rowOffset;
  int rowLength;
  int qualifierOffset;
  int qualifierLength;
  int valueOffset;
  int valueLength;
  long timestamp;

  /**
   * @param tags whether cells have tags, or room for them
   * @param sequence whether cells have a sequence number
   */
  CellCursor(boolean tags, boolean sequence) {
    this.tags = tags;
    this.sequence = sequence;
  }

  /** Goes to the start of a block. */
  void block(byte[] bytes, int from, int to) {
    array = bytes;
    at = from;
    end = to;
  }

  byte[] array() {
    return array;
  }

  /** Whether the cell is a put that only a newer put of the same file can hide. */
  boolean isPlain() {
    return plain;
  }

  /**
   * Goes to the next cell of the block.
   *
   * @return false when there is none
   * @throws IOException when its lengths are invalid
   */
  boolean next() throws IOException {
    if (at == end) {
      return false;
    }
    if (end - at < LENGTHS) {
      throw corrupt("has no room for its lengths");
    }
    int keyLength = (int) INT.get(array, at);
    valueLength = (int) INT.get(array, at + Integer.BYTES);
    int key = at + LENGTHS;
    if (keyLength < LEAST_KEY || valueLength < 0 || end - key - (long) keyLength < valueLength) {
      throw corrupt("has a key of " + keyLength + " and a value of " + valueLength + " bytes");
    }
    valueOffset = key + keyLength;
    rowLength = (short) SHORT.get(array, key);
    rowOffset = key + Short.BYTES;
    if (rowLength < 0 || rowLength > keyLength - LEAST_KEY) {
      throw corrupt("has a row of " + rowLength + " bytes in a key of " + keyLength);
    }
    int familyLength = array[rowOffset + rowLength];
    qualifierLength = keyLength - LEAST_KEY - rowLength - familyLength;
    if (familyLength < 0 || qualifierLength < 0) {
      throw corrupt("has a family of " + familyLength + " bytes in a key of " + keyLength);
    }
    qualifierOffset = rowOffset + rowLength + 1 + familyLength;
    timestamp = (long) LONG.get(array, valueOffset - TIMESTAMP_AND_TYPE);
    // Scans omit the least and the greatest timestamp, which no put can have.
    plain = array[valueOffset - 1] == PUT && timestamp + 1 > 0;
    at = valueOffset + valueLength;
    if (tags) {
      skipTags();
    }
    if (sequence) {
      skipSequence();
    }
    return true;
  }

  private void skipTags() throws IOException {
    if (end - at < Short.BYTES) {
      throw corrupt("has no room for the length of its tags");
    }
    int length = (short) SHORT.get(array, at) & 0xffff;
    at += Short.BYTES;
    if (end - at < length) {
      throw corrupt("has tags of " + length + " bytes");
    }
    at += length;
    // A tag may be a time to live or a label.
    plain &= length == 0;
  }

  private void skipSequence() throws IOException {
    int length = at < end ? WritableUtils.decodeVIntSize(array[at]) : 1;
    if (end - at < length) {
      throw corrupt("has no room for its sequence number");
    }
    at += length;
  }

  private IOException corrupt(String found) {
    return new IOException("a cell at byte " + at + " of " + end + " of a data block " + found);
  }

  /** Compares the cell's row with another. */
  int compareRow(byte[] row, int off, int len) {
    return Arrays.compareUnsigned(array, rowOffset, rowOffset + rowLength, row, off, off + len);
  }

  /** Whether the cell's row equals this row. */
  boolean isRow(byte[] row, int off, int len) {
    return len == rowLength && same(rowOffset, row, off, len);
  }

  /** Whether the cell's qualifier equals this qualifier. */
  boolean isQualifier(byte[] qualifier, int off, int len) {
    return len == qualifierLength && same(qualifierOffset, qualifier, off, len);
  }

  /** Rows of one hour and qualifiers of one row differ, if at all, in their last bytes. */
  private boolean same(int from, byte[] other, int off, int len) {
    if (len < Long.BYTES) {
      return len == Short.BYTES
          ? (short) SHORT.get(array, from) == (short) SHORT.get(other, off)
          : Arrays.equals(array, from, from + len, other, off, off + len);
    }
    int last = len - Long.BYTES;
    if ((long) LONG.get(array, from + last) != (long) LONG.get(other, off + last)) {
      return false;
    }
    for (int i = 0; i < last; i += Long.BYTES) {
      if ((long) LONG.get(array, from + i) != (long) LONG.get(other, off + i)) {
        return false;
      }
    }
    return true;
  }
}
