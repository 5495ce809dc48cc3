package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;

/**
 * Sorts the points of an hour and leaves one of each instant. Seconds and milliseconds of the same
 * instant collide; the one that stays keeps its own resolution. Not thread-safe.
 *
 * <p>The outcome does not depend on the division of points between spills: {@code FIRST} and {@code
 * FAIL} keep the first of all, {@code LAST} the last, {@code MAX} the first of the largest. A
 * dropped point is counted by comparison with the one that it met; with three values of an instant
 * and several spills, only the sum of both counts is always the same.
 */
public final class PointDeduplicator {
  private final OnConflict onConflict;
  private final OffsetSorter sorter = new OffsetSorter();
  private byte[] sorted = new byte[0];
  private byte[] result = sorted;
  private int off;
  private int length;
  private int points;
  private int newest;
  private long identical;
  private long conflicting;

  /** A deduplicator with one rule. */
  public PointDeduplicator(OnConflict onConflict) {
    this.onConflict = onConflict;
  }

  /**
   * Sorts and deduplicates; the result is the input itself if nothing changed.
   *
   * @param packed points in the order of their arrival, padded
   * @param count number of points
   * @throws ConflictException when an instant has different values, with {@code FAIL}
   */
  public void deduplicate(byte[] packed, int from, int len, int count) throws ConflictException {
    long[] keys = sorter.reserve(count);
    int previous = -1;
    boolean ascending = true;
    int n = 0;
    int end = from + len;
    for (int at = from; at < end; at += PackedPoints.length(packed, at)) {
      int offset = PackedPoints.offsetMillis(packed, at);
      keys[n++] = ((long) offset << 32) | at;
      ascending &= offset > previous;
      previous = offset;
    }
    if (ascending) {
      result = packed;
      off = from;
      length = len;
      points = n;
      newest = previous;
      return;
    }
    join(packed, len, sorter.sort(n), n);
  }

  private void join(byte[] packed, int len, long[] keys, int n) throws ConflictException {
    if (sorted.length < len + PackedPoints.PADDING) {
      sorted = new byte[len + len / 4 + PackedPoints.PADDING];
    }
    int at = 0;
    int kept = 0;
    int i = 0;
    while (i < n) {
      long key = keys[i++];
      int winner = (int) key;
      while (i < n && keys[i] >>> 32 == key >>> 32) {
        winner = winner(packed, winner, (int) keys[i++]);
      }
      at = PackedPoints.copy(packed, winner, sorted, at);
      kept++;
    }
    result = sorted;
    off = 0;
    length = at;
    points = kept;
    newest = (int) (keys[n - 1] >>> 32);
  }

  private int winner(byte[] packed, int earlier, int later) throws ConflictException {
    if (PackedPoints.sameValue(packed, earlier, packed, later)) {
      identical++;
      return onConflict == OnConflict.LAST ? later : earlier;
    }
    conflicting++;
    return switch (onConflict) {
      case FIRST -> earlier;
      case LAST -> later;
      case MAX -> PackedPoints.compareValues(packed, later, packed, earlier) > 0 ? later : earlier;
      case FAIL ->
          throw new ConflictException(
              PackedPoints.offsetMillis(packed, earlier),
              PackedPoints.valueText(packed, earlier),
              PackedPoints.valueText(packed, later));
    };
  }

  /** The points that stay, ascending; valid until the next call. */
  public byte[] packed() {
    return result;
  }

  /** Where they begin. */
  public int off() {
    return off;
  }

  /** Their length, bytes. */
  public int length() {
    return length;
  }

  /** Number of points. */
  public int points() {
    return points;
  }

  /** Offset of the last one, milliseconds. */
  public int newest() {
    return newest;
  }

  /** Adds the points dropped since the last call. */
  public void drainTo(Tally tally) {
    if (identical > 0) {
      tally.add(Count.DUPLICATES_IDENTICAL, identical);
    }
    if (conflicting > 0) {
      tally.add(Count.DUPLICATES_CONFLICTING, conflicting);
    }
    identical = 0;
    conflicting = 0;
  }

  /** Frees large buffers. */
  public void trim() {
    if (sorted.length > 1 << 18) {
      sorted = new byte[0];
    }
    result = sorted;
    sorter.trim();
  }

  /** Memory for deduplicating, without the input, bytes. */
  static long memory(long packedBytes, long count) {
    return packedBytes + packedBytes / 4 + OffsetSorter.memory(count);
  }
}
