package io.tsdbsuite.bulk.row;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.Qualifier;
import java.util.Arrays;

/**
 * Makes rows of {@linkplain PackedPoints packed points}: qualifiers apart, values apart, and the
 * last byte. Reused for row after row.
 *
 * <p>A cell has a limit, since HBase refuses cells over {@code hbase.client.keyvalue.maxsize} (10
 * MB): points beyond it go to a further cell of the same row.
 */
public final class RowBuilder {
  /** Limit of qualifier and value that is safely below HBase's, bytes. */
  public static final int DEFAULT_LIMIT = 8 << 20;

  private final int limit;
  private byte[] qualifiers = new byte[1 << 13];
  private byte[] values = new byte[1 << 14];
  private int qualifierLength;
  private int valueLength;
  private int points;
  private int millis;
  private int newest;

  /**
   * @param limit qualifier and value of one cell together, bytes; exceeded by one point at most
   */
  public RowBuilder(int limit) {
    this.limit = limit;
  }

  /** Number of points added since the last row. */
  public int points() {
    return points;
  }

  /**
   * Adds points up to the limit; returns the index of the first point that was not added, {@code
   * end} if all points were added.
   *
   * @param packed ascending, each instant once, later than all before, padded
   */
  public int add(byte[] packed, int off, int end) {
    int room = limit - qualifierLength - valueLength;
    int stop = end - off > room ? off + Math.max(room, 0) : end;
    reserve(stop - off + PackedPoints.MAX_LENGTH);
    byte[] q = qualifiers;
    byte[] v = values;
    int qAt = qualifierLength;
    int vAt = valueLength;
    int at = off;
    int last = off;
    int n = 0;
    int inMillis = 0;
    while (at < stop) {
      last = at;
      int qualifier = (short) PackedPoints.SHORT.get(packed, at);
      if ((qualifier & 0xf000) != 0xf000) {
        PackedPoints.SHORT.set(q, qAt, (short) qualifier);
        PackedPoints.LONG.set(v, vAt, (long) PackedPoints.LONG.get(packed, at + 2));
        int length = (qualifier & 7) + 1;
        qAt += Qualifier.SECONDS_LENGTH;
        vAt += length;
        at += Qualifier.SECONDS_LENGTH + length;
      } else {
        int wide = (int) PackedPoints.INT.get(packed, at);
        PackedPoints.INT.set(q, qAt, wide);
        PackedPoints.LONG.set(v, vAt, (long) PackedPoints.LONG.get(packed, at + 4));
        int length = (wide & 7) + 1;
        qAt += Qualifier.MILLIS_LENGTH;
        vAt += length;
        at += Qualifier.MILLIS_LENGTH + length;
        inMillis++;
      }
      n++;
    }
    if (n > 0) {
      newest = PackedPoints.offsetMillis(packed, last);
    }
    qualifierLength = qAt;
    valueLength = vAt;
    points += n;
    millis += inMillis;
    return at;
  }

  /**
   * Builds the row of the added points, at least one, and starts an empty one.
   *
   * @param key row key, kept
   * @param baseTime base time of the row, seconds since the epoch, UTC
   */
  public EncodedRow build(byte[] key, long baseTime) {
    byte[] qualifier = Arrays.copyOf(qualifiers, qualifierLength);
    byte[] value = Arrays.copyOf(values, points > 1 ? valueLength + 1 : valueLength);
    if (points > 1) {
      value[valueLength] = CompactedCell.lastByte(points, millis);
    }
    EncodedRow row = new EncodedRow(key, qualifier, value, points, baseTime * 1000 + newest);
    qualifierLength = 0;
    valueLength = 0;
    points = 0;
    millis = 0;
    return row;
  }

  private void reserve(int more) {
    int padded = more + PackedPoints.PADDING;
    if (qualifierLength + padded > qualifiers.length) {
      qualifiers = Arrays.copyOf(qualifiers, (qualifierLength + padded) * 3 / 2);
    }
    if (valueLength + padded > values.length) {
      values = Arrays.copyOf(values, (valueLength + padded) * 3 / 2);
    }
  }
}
