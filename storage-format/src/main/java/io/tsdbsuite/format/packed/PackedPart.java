package io.tsdbsuite.format.packed;

import io.tsdbsuite.format.row.Uids;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The layout of a cell of a packed table: rollups of one series that are in one row.
 *
 * <pre>
 *   qualifier  | kind 1 | asOf 6 | crc 4 |
 *   value      | 01 | V runs | runs | columns |
 *   run        | V gap | V 2 length + gone | V age |
 *   column     | p w 1 | p bytes | w bytes for each slot with values |
 *
 *   kind    01 sum, min, max, count; 02 to 09 one of p50 p75 p90 p95 p99 p999 first last
 *   asOf    of the newest slot, milliseconds since the epoch
 *   crc     CRC-32 of row key, kind, asOf and value
 *   gap     slots since the run before
 *   gone    1: the slots were taken back, and have no values
 *   age     asOf of the part less that of these slots, milliseconds
 *   p w     4 bits each: how many first bytes all numbers of the column share, and how many bytes
 *           each has of its own; the last 8 - p - w bytes of each are zero
 *   V       varint of at most 7 bytes: 7 bits a byte, low ones first, 80 if more follow
 * </pre>
 *
 * <p>A slot is an interval of the row, counted from 0. A number is a double, or a count with its
 * bytes in reverse order. Source: docs/storage.md 7.
 */
final class PackedPart {
  static final int QUALIFIER_LENGTH = 11;

  /** Columns of kind {@link #FOUR}; other kinds have one. */
  static final int COLUMNS = 4;

  static final int FOUR = 1;

  static final long MAX_ASOF = (1L << 48) - 1;

  private static final int VERSION = 1;
  private static final int ASOF_AT = 1;
  private static final int ASOF_WIDTH = 6;
  private static final int CRC_AT = ASOF_AT + ASOF_WIDTH;

  /** Bytes of a varint that holds any asOf. */
  private static final int MAX_VARINT = 7;

  private final PackedRow row;
  private final CRC32 crc = new CRC32();

  /** The value that is read. */
  private ByteBuffer bytes = ByteBuffer.allocate(0);

  /** Position of the next byte, and the end of the value. */
  private int at;

  private int end;

  // Of each column: the bytes that all numbers share, in place; position and width of their own
  // ones; by how many bits these are moved.
  private final long[] shared = new long[COLUMNS];
  private final int[] starts = new int[COLUMNS];
  private final int[] widths = new int[COLUMNS];
  private final int[] shifts = new int[COLUMNS];

  /** The value that is written, with 8 bytes to spare; empty before the first one. */
  private ByteBuffer out = ByteBuffer.allocate(0);

  PackedPart(PackedRow row) {
    this.row = row;
  }

  /** Adds the slots of a part to the row; arguments as {@link PackedRow#add}. */
  void read(
      byte[] key, int kOff, int kLen, byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen)
      throws CorruptPartException {
    if (qLen != QUALIFIER_LENGTH) {
      throw new CorruptPartException(
          q, qOff, qLen, "qualifier must have " + QUALIFIER_LENGTH + " bytes", qLen);
    }
    if (q[qOff] != row.kind()) {
      throw new CorruptPartException(q, qOff, qLen, "kind must be " + row.kind(), q[qOff]);
    }
    if (vLen == 0 || v[vOff] != VERSION) {
      throw new CorruptPartException(
          q, qOff, qLen, "version must be " + VERSION, vLen == 0 ? "no value" : v[vOff]);
    }
    int expected = (int) Uids.read(q, qOff + CRC_AT, Integer.BYTES);
    int found = crc(key, kOff, kLen, q, qOff, v, vOff, vLen);
    if (found != expected) {
      throw new CorruptPartException(
          q, qOff, qLen, "crc must be that of key and value", String.format("%08x", found));
    }
    long asOf = Uids.read(q, qOff + ASOF_AT, ASOF_WIDTH);
    bytes = ByteBuffer.wrap(v);
    at = vOff + 1;
    end = vOff + vLen;
    long runs = varint();
    int runsAt = at;
    int filled = filled(runs, asOf);
    if (filled < 0) {
      throw new CorruptPartException(
          q, qOff, qLen, "runs must be of slots 0 to " + (row.slots() - 1), vLen + " bytes");
    }
    if (!findColumns(filled)) {
      throw new CorruptPartException(
          q, qOff, qLen, "value must end after its columns", vLen + " bytes");
    }
    at = runsAt;
    take(runs, asOf);
  }

  /** The varint at {@link #at}; -1 if it is cut, or longer than those that are written. */
  private long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT && at < end; i++) {
      byte next = bytes.get(at++);
      value |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    return -1;
  }

  /** The number of slots with values; -1 if a run breaks a rule, or there is none. */
  private int filled(long runs, long asOf) {
    int filled = 0;
    long slot = 0;
    for (long i = 0; i < runs; i++) {
      long gap = varint();
      long length = varint();
      long age = varint();
      slot += gap + (length >> 1);
      if (gap < 0 || length < 2 || age < 0 || age > asOf || slot > row.slots()) {
        return -1;
      }
      filled += (length & 1) == 0 ? (int) (length >> 1) : 0;
    }
    return runs < 1 ? -1 : filled;
  }

  /** Finds the columns; whether they are whole, and the value ends after them. */
  private boolean findColumns(int filled) {
    for (int c = 0; filled > 0 && c < row.columns(); c++) {
      if (at >= end) {
        return false;
      }
      int common = bytes.get(at) >> 4 & 0xf;
      int width = bytes.get(at) & 0xf;
      int start = at + 1 + common;
      if (common + width > Long.BYTES || start + filled * width > end) {
        return false;
      }
      shared[c] = common == 0 ? 0 : low(start, common) << (64 - 8 * common);
      starts[c] = start;
      widths[c] = width;
      shifts[c] = 64 - 8 * (common + width);
      at = start + filled * width;
    }
    return at == end;
  }

  /** The number, unsigned, of {@code width} bytes, 0..8, before a position. */
  private long low(int position, int width) {
    if (width == 0) {
      return 0;
    }
    if (position >= Long.BYTES) {
      return bytes.getLong(position - Long.BYTES) & (-1L >>> (64 - 8 * width));
    }
    return Uids.read(bytes.array(), position - width, width);
  }

  private void take(long runs, long asOf) {
    int slot = 0;
    int i = 0;
    for (long run = 0; run < runs; run++) {
      slot += (int) varint();
      int length = (int) varint();
      boolean isGone = (length & 1) != 0;
      long stamp = PackedRow.stamp(asOf - varint(), isGone);
      int last = slot + (length >> 1);
      if (!isGone && row.isOlder(slot, last, stamp)) {
        row.fill(slot, last, stamp);
        for (int c = 0; c < row.columns(); c++) {
          read(c, i, row.numbers(c), slot, last);
        }
        i += last - slot;
        slot = last;
      }
      for (; slot < last; slot++) {
        if (isGone) {
          row.take(slot, stamp, 0, 0, 0, 0);
        } else if (row.columns() == 1) {
          row.take(slot, stamp, number(0, i++), 0, 0, 0);
        } else {
          row.take(slot, stamp, number(0, i), number(1, i), number(2, i), number(3, i));
          i++;
        }
      }
    }
  }

  /** Reads numbers of a column from the i-th on into those of slots. */
  private void read(int column, int i, long[] numbers, int slot, int last) {
    int width = widths[column];
    long common = shared[column];
    int shift = shifts[column];
    int position = starts[column] + i * width;
    for (int to = slot; to < last; to++) {
      position += width;
      numbers[to] = common | low(position, width) << shift;
    }
  }

  private long number(int column, int i) {
    int width = widths[column];
    return shared[column] | low(starts[column] + (i + 1) * width, width) << shifts[column];
  }

  /** The value of the part with all slots of the row, at least one. */
  byte[] value() {
    int slots = row.slots();
    if (out.capacity() == 0) {
      // Gap and length of a run have 2 bytes each at most.
      int run = 2 + 2 + MAX_VARINT;
      out = ByteBuffer.allocate(16 + slots * run + COLUMNS * (9 + slots * Long.BYTES));
    }
    at = 0;
    out.put(at++, (byte) VERSION);
    putVarint(row.runs());
    long asOf = row.asOf();
    int after = 0;
    for (int slot = row.first(); slot < row.end(); ) {
      int from = slot;
      slot = row.runEnd(slot);
      long stamp = row.stamp(from);
      if (stamp >= 0) {
        putVarint(from - after);
        putVarint((slot - from) << 1 | (stamp & 1));
        putVarint(asOf - (stamp >> 1));
        after = slot;
      }
    }
    for (int c = 0; c < row.columns(); c++) {
      putColumn(row.numbers(c));
    }
    return Arrays.copyOf(out.array(), at);
  }

  private void putVarint(long value) {
    long rest = value;
    for (; rest > 0x7f; rest >>>= 7) {
      out.put(at++, (byte) (rest | 0x80));
    }
    out.put(at++, (byte) rest);
  }

  /** Appends a column, or nothing if no slot has values. */
  private void putColumn(long[] numbers) {
    int filled = -1;
    long any = 0;
    long differing = 0;
    for (int slot = row.first(); slot < row.end(); slot++) {
      if (row.has(slot)) {
        filled = filled < 0 ? slot : filled;
        any |= numbers[slot];
        differing |= numbers[slot] ^ numbers[filled];
      }
    }
    if (filled < 0) {
      return;
    }
    int used = Long.BYTES - (Long.numberOfTrailingZeros(any) >> 3);
    int common = Math.min(Long.numberOfLeadingZeros(differing) >> 3, used);
    int width = used - common;
    out.put(at, (byte) (common << 4 | width));
    out.putLong(at + 1, numbers[filled]);
    at += 1 + common;
    // Writes 8 bytes each time, of which the next ones replace those that are too many.
    for (int slot = filled; width > 0 && slot < row.end(); slot++) {
      if (row.has(slot)) {
        out.putLong(at, numbers[slot] << (8 * common));
        at += width;
      }
    }
  }

  /** The qualifier of the part of the row's newest slot and this value. */
  byte[] qualifier(byte[] key, int off, int len, byte[] value) {
    byte[] q = new byte[QUALIFIER_LENGTH];
    q[0] = (byte) row.kind();
    Uids.write(row.asOf(), q, ASOF_AT, ASOF_WIDTH);
    int sum = crc(key, off, len, q, 0, value, 0, value.length);
    Uids.write(sum & 0xffffffffL, q, CRC_AT, Integer.BYTES);
    return q;
  }

  private int crc(
      byte[] key, int kOff, int kLen, byte[] q, int qOff, byte[] v, int vOff, int vLen) {
    crc.reset();
    crc.update(key, kOff, kLen);
    crc.update(q, qOff, CRC_AT);
    crc.update(v, vOff, vLen);
    return (int) crc.getValue();
  }
}
