package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row of a rollup table, by offset and aggregate. Values may have any valid width:
 * kafka-ingest always writes 8 bytes, the stock TSD the fewest that hold the value. Two columns of
 * one instant are duplicates, as in the TSD. Reused for every row; for one thread.
 */
public final class StoredCells implements CellVisitor {
  private static final int AGGREGATES = Aggregate.values().length;

  /** A bit beside those of the aggregates. */
  private static final int SOME = 1 << AGGREGATES;

  /** Index in {@link Aggregate}, or -1, by aggregator number. */
  private final int[] places = new int[128];

  private final boolean fixDuplicates;
  private final double[] values;
  private final long[] timestamps;
  private final byte[] present;
  private final boolean[] twice;
  private final String table;
  private final List<String> problems = new ArrayList<>();
  private byte[] key = {};
  private int count;
  private int others;
  private long oldest;
  private int last;
  private boolean hasFailed;
  private boolean hasUnknown;
  private boolean hasNaN;
  private boolean isAmbiguous;

  /**
   * @param table for messages
   * @param ids the aggregators' numbers, in the order of {@link Aggregate}
   * @param perRow maximum number of intervals in a row
   */
  public StoredCells(String table, int[] ids, int perRow, boolean fixDuplicates) {
    this.table = table;
    this.fixDuplicates = fixDuplicates;
    int offsets = Math.min(perRow, RollupCell.MAX_OFFSET + 1);
    this.values = new double[offsets * AGGREGATES];
    this.timestamps = new long[offsets * AGGREGATES];
    this.present = new byte[offsets];
    this.twice = new boolean[offsets];
    Arrays.fill(places, -1);
    for (int i = 0; i < ids.length; i++) {
      places[ids[i]] = i;
    }
  }

  /** Begins a row. */
  public void begin(byte[] rowKey) {
    key = rowKey;
    restart();
  }

  /** Ends the row and enters it into the books. */
  void end(StoredBooks books) {
    books.row(count, others, oldest);
    problems.forEach(books::malformed);
  }

  @Override
  public void restart() {
    Arrays.fill(present, (byte) 0);
    Arrays.fill(twice, false);
    problems.clear();
    count = 0;
    others = 0;
    oldest = Long.MAX_VALUE;
    last = -1;
    hasFailed = false;
    hasUnknown = false;
    hasNaN = false;
    isAmbiguous = false;
  }

  @Override
  public void cell(
      byte[] qualifier,
      int qualifierOffset,
      int qualifierLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long timestamp) {
    count++;
    oldest = Math.min(oldest, timestamp);
    if (!RollupCell.is(qualifier, qualifierOffset, qualifierLength)) {
      hasUnknown = true;
      malformed(qualifier, qualifierOffset, qualifierLength, "its qualifier is none of a rollup");
      return;
    }
    int place = places[RollupCell.aggregatorId(qualifier, qualifierOffset)];
    if (place < 0) {
      others++;
      hasUnknown = true;
      return;
    }
    int offset = RollupCell.offset(qualifier, qualifierOffset);
    if (offset >= present.length) {
      hasUnknown = true;
      malformed(
          qualifier,
          qualifierOffset,
          qualifierLength,
          "its offset must be less than " + present.length + ", found " + offset);
      return;
    }
    double number;
    try {
      number = RollupCell.decode(qualifier, qualifierOffset, value, valueOffset, valueLength);
    } catch (IllegalArgumentException e) {
      hasFailed = true;
      malformed(qualifier, qualifierOffset, qualifierLength, String.valueOf(e.getMessage()));
      return;
    }
    put(offset, place, number, timestamp);
  }

  /**
   * Stores a value. Cells arrive in column order; of two with equal timestamps, the later column
   * wins.
   */
  private void put(int offset, int place, double number, long timestamp) {
    int at = offset * AGGREGATES + place;
    last = Math.max(last, offset);
    hasNaN |= Double.isNaN(number);
    if (((present[offset] >> place) & 1) != 0) {
      // A second column differs in width or type, so its bytes are never the same.
      twice[offset] |= !fixDuplicates;
      isAmbiguous |= !fixDuplicates || timestamp == timestamps[at];
      if (timestamp < timestamps[at]) {
        return;
      }
    }
    present[offset] |= (byte) (1 << place);
    values[at] = number;
    timestamps[at] = timestamp;
  }

  private void malformed(byte[] qualifier, int off, int len, String why) {
    problems.add(
        "table %s, row %s, column %s: %s"
            .formatted(
                table,
                HexFormat.of().formatHex(key),
                HexFormat.of().formatHex(qualifier, off, off + len),
                why));
  }

  /** Number of cells. */
  int count() {
    return count;
  }

  /**
   * Why the row must stay, whatever its metric; null if it may go once wider rollups are equal.
   *
   * @param used number of offsets that the row's span has: a short month has fewer than a row
   */
  public @Nullable Kept kept(int used) {
    if (hasFailed) {
      return Kept.FAILED;
    } else if (hasUnknown || last >= used) {
      return Kept.UNKNOWN_COLUMNS;
    } else if (hasNaN) {
      return Kept.NOT_A_NUMBER;
    }
    return isAmbiguous ? Kept.AMBIGUOUS_DUPLICATES : null;
  }

  /**
   * Makes the record of a wider rollup. It lacks a value that one of its parts lacks.
   *
   * @param first offset of its first part
   * @param parts number of its parts
   * @return null if there are none
   */
  byte @Nullable [] computed(int first, int parts) {
    int has = 0;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double points = 0;
    for (int i = first; i < Math.min(first + parts, present.length); i++) {
      if (present[i] != 0) {
        // In the order of Aggregate.
        int at = i * AGGREGATES;
        has = has == 0 ? SOME | present[i] : has & (SOME | present[i]);
        sum += values[at];
        min = Math.min(min, values[at + 1]);
        max = Math.max(max, values[at + 2]);
        points += values[at + 3];
      }
    }
    return has == 0 ? null : VerifyRecord.computed(has & ~SOME, sum, min, max, points);
  }

  /** Number of possible offsets. */
  int offsets() {
    return present.length;
  }

  /** Returns the record of the values stored at an offset; null if there are none. */
  byte @Nullable [] record(int offset) {
    return present[offset] == 0
        ? null
        : VerifyRecord.stored(present[offset], twice[offset], values, offset * AGGREGATES);
  }
}
