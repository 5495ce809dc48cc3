package io.tsdbsuite.stream.series;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads entries of version 1, whose header lacks origin and last point, and whose points have 14
 * bytes each: second, 10 bits of milliseconds and 6 of flags, value.
 */
final class SeriesEntryV1 {
  private static final int HEADER = 28;
  private static final int POINT = 14;
  private static final int MILLI_BITS = 0x03ff;
  private static final long MILLIS = 1000;

  private SeriesEntryV1() {}

  /**
   * The same entry in the version of today.
   *
   * @param before exactly the bytes in use
   * @param intervals number of intervals
   * @throws IllegalArgumentException when it does not have the length that it names
   * @throws IllegalStateException when the lengths of its parts do not fit its own
   */
  static byte[] convert(byte[] before, int intervals) {
    ByteBuffer old = ByteBuffer.wrap(before).order(ByteOrder.LITTLE_ENDIAN);
    int used = before.length < HEADER ? 0 : old.getInt(0);
    int points = used == 0 ? 0 : old.getInt(16);
    int rest = used - points * POINT;
    if (used != before.length || points < 0 || rest < HEADER) {
      throw new IllegalArgumentException(
          "the state of a series must have the length that it names, found "
              + used
              + " in "
              + before.length
              + " bytes");
    }
    SeriesEntry entry = new SeriesEntry(intervals);
    entry.create(Arrays.copyOf(before, HEADER), before, HEADER, rest, points * PackedPoint.MAX);
    WaitingPoints waiting = new WaitingPoints(entry);
    for (int at = rest; at < used; at += POINT) {
      int flags = old.getShort(at + 4) & 0xffff;
      long time = Integer.toUnsignedLong(old.getInt(at)) * MILLIS + (flags & MILLI_BITS);
      waiting.behindLast();
      waiting.insert(time, flags & ~MILLI_BITS, old.getLong(at + 6));
    }
    entry.trim();
    return entry.array();
  }
}
