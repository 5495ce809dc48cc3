package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.SeriesText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The series of one metric and salt bucket, by the tags of their row keys. Rows arrive hour by hour
 * in the order of their tags, so a lookup first checks the series after the last one, before it
 * computes a hash. For one thread.
 */
final class SeriesTable {
  private static final int LEAST_SLOTS = 512;

  /** Heap of one series in this table: its slots and its place in the list. */
  static final int SLOT_BYTES = 24;

  /** Open addressing with linear probing, at most half full: the number of a series plus 1. */
  private int[] slots = new int[LEAST_SLOTS];

  private final List<SeriesRollups> series = new ArrayList<>();

  /** Salt and metric. */
  private byte[] prefix = {};

  private int last;

  /** Whether a point is of this metric and salt bucket. */
  boolean isOf(RollupPoint point) {
    int from = point.rowOffset();
    return Arrays.equals(
        prefix, 0, prefix.length, point.rowArray(), from, from + point.rowTimeOffset());
  }

  /** Removes all series; the next ones are of the metric and salt bucket of this point. */
  void clear(RollupPoint point) {
    int from = point.rowOffset();
    prefix = Arrays.copyOfRange(point.rowArray(), from, from + point.rowTimeOffset());
    // Shrink, so that thousands of small metrics need not clear the slots of one large metric.
    if (slots.length > LEAST_SLOTS && series.size() < slots.length / 8) {
      slots = new int[slots.length / 4];
    } else if (!series.isEmpty()) {
      Arrays.fill(slots, 0);
    }
    series.clear();
    last = 0;
  }

  /** All series in order of arrival. */
  List<SeriesRollups> series() {
    return series;
  }

  /** The series of a point for which {@link #isOf} is true; null if it is not in this table. */
  @Nullable SeriesRollups find(RollupPoint point) {
    byte[] row = point.rowArray();
    int from = tagsOffset(point);
    int to = point.rowOffset() + point.rowLength();
    int next = last + 1 < series.size() ? last + 1 : 0;
    if (next < series.size()) {
      SeriesRollups expected = series.get(next);
      if (expected.hasTags(row, from, to)) {
        last = next;
        return expected;
      }
    }
    int mask = slots.length - 1;
    int slot = hash(row, from, to) & mask;
    while (slots[slot] != 0) {
      SeriesRollups found = series.get(slots[slot] - 1);
      if (found.hasTags(row, from, to)) {
        last = slots[slot] - 1;
        return found;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  /** Adds the series of a point, which is not in this table. */
  SeriesRollups add(RollupPoint point) {
    byte[] tags =
        Arrays.copyOfRange(
            point.rowArray(), tagsOffset(point), point.rowOffset() + point.rowLength());
    SeriesRollups added = new SeriesRollups(tags, SeriesText.of(point));
    last = series.size();
    series.add(added);
    if (2 * series.size() > slots.length) {
      slots = new int[2 * slots.length];
      for (int i = 0; i < series.size(); i++) {
        enter(i);
      }
    } else {
      enter(last);
    }
    return added;
  }

  private void enter(int number) {
    byte[] tags = series.get(number).tags();
    int mask = slots.length - 1;
    int slot = hash(tags, 0, tags.length) & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = number + 1;
  }

  private static int tagsOffset(RollupPoint point) {
    return point.rowOffset() + point.rowTimeOffset() + RowKey.TIME_WIDTH;
  }

  private static int hash(byte[] array, int from, int to) {
    // FNV-1a: with a small factor consecutive UIDs of several bytes would have equal hashes.
    int hash = 0x811c9dc5;
    for (int i = from; i < to; i++) {
      hash = (hash ^ (array[i] & 0xff)) * 0x01000193;
    }
    return hash ^ (hash >>> 16);
  }
}
