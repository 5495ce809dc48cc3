package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.group.ConflictException;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.PointDeduplicator;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.bulk.spill.HourSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Hours of a region out of the shuffle. The pieces of an hour are in memory at once; if they are of
 * several units, they are joined in the order of the input.
 */
final class ShuffledHours extends HourSource {
  /** Two values of one instant, from different units of the input. */
  static final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final byte[] key;
    private final ConflictException values;
    private final int[] units;

    Conflict(byte[] key, ConflictException values, int[] units) {
      super(values);
      this.key = key;
      this.values = values;
      this.units = units;
    }

    /** Row key. */
    byte[] key() {
      return key;
    }

    ConflictException values() {
      return values;
    }

    /** The units that have points of the row. */
    int[] units() {
      return units;
    }
  }

  private final Iterator<Tuple2<byte[], byte[]>> records;
  private final PointDeduplicator deduplicator;
  private final List<Tuple2<byte[], byte[]>> pieces = new ArrayList<>();
  private @Nullable Tuple2<byte[], byte[]> ahead;
  private boolean joined;
  private int taken;
  private byte[] buffer = new byte[1 << 12];

  /**
   * @param records records of kind {@link ShuffleKey#ROW} only, in {@link ShuffleKey#ORDER}
   */
  ShuffledHours(Iterator<Tuple2<byte[], byte[]>> records, OnConflict onConflict) {
    this.records = records;
    this.deduplicator = new PointDeduplicator(onConflict);
  }

  @Override
  public boolean nextHour() {
    pieces.clear();
    taken = 0;
    Tuple2<byte[], byte[]> piece = ahead == null && records.hasNext() ? records.next() : ahead;
    if (piece == null) {
      return false;
    }
    byte[] first = piece._1();
    key = ShuffleKey.inner(first);
    keyLength = key.length;
    while (piece != null && ShuffleKey.sameInner(piece._1(), first)) {
      pieces.add(piece);
      piece = records.hasNext() ? records.next() : null;
    }
    ahead = piece;
    // In the order of the input.
    joined = ShuffleKey.unit(first) != ShuffleKey.unit(pieces.get(pieces.size() - 1)._1());
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * @throws Conflict when units contradict each other
   */
  @Override
  public boolean nextChunk() {
    if (taken == pieces.size()) {
      return false;
    }
    if (joined) {
      join();
      return true;
    }
    byte[] piece = pieces.set(taken++, null)._2();
    reserve(piece.length);
    System.arraycopy(piece, 0, buffer, 0, piece.length);
    packed = buffer;
    off = 0;
    length = piece.length;
    return true;
  }

  private void join() {
    int size = 0;
    for (Tuple2<byte[], byte[]> piece : pieces) {
      size += piece._2().length;
    }
    reserve(size);
    int at = 0;
    int points = 0;
    for (Tuple2<byte[], byte[]> piece : pieces) {
      byte[] bytes = piece._2();
      System.arraycopy(bytes, 0, buffer, at, bytes.length);
      at += bytes.length;
    }
    for (int point = 0; point < at; point += PackedPoints.length(buffer, point)) {
      points++;
    }
    try {
      deduplicator.deduplicate(buffer, 0, at, points);
    } catch (ConflictException e) {
      int[] units = pieces.stream().mapToInt(p -> ShuffleKey.unit(p._1())).distinct().toArray();
      throw new Conflict(key, e, units);
    }
    taken = pieces.size();
    packed = deduplicator.packed();
    off = deduplicator.off();
    length = deduplicator.length();
  }

  private void reserve(int size) {
    if (buffer.length < size + PackedPoints.PADDING) {
      buffer = new byte[size + size / 4 + PackedPoints.PADDING];
    }
  }

  @Override
  public void drainTo(Tally tally) {
    deduplicator.drainTo(tally);
  }

  /** Nothing is open. */
  @Override
  public void close() {}
}
