package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row of a rollup table, by offset and aggregator. Values may have any valid
 * width: kafka-ingest always writes 8 bytes, the stock TSD the fewest that hold the value. Two
 * columns of one instant are duplicates, as in the TSD.
 */
public final class StoredCells extends StoredRow {
  /** A bit beside those of the aggregators. */
  private static final int SOME = 1 << 30;

  private final Aggregators aggregators;

  /** Place in the aggregators, or -1, by aggregator number. */
  private final int[] places = new int[128];

  private final boolean fixDuplicates;
  private final double[] values;
  private final long[] timestamps;

  /** By offset, the bits of values that are stored, and of those stored twice. */
  private final int[] present;

  private final int[] twice;
  private int last;
  private boolean hasFailed;
  private boolean hasUnknown;
  private boolean hasNaN;
  private boolean isAmbiguous;

  /**
   * @param table for messages
   * @param interval of its rollups
   * @param perRow maximum number of intervals in a row
   */
  public StoredCells(
      String table, Aggregators aggregators, String interval, int perRow, boolean fixDuplicates) {
    super(table);
    this.aggregators = aggregators;
    this.fixDuplicates = fixDuplicates;
    int offsets = Math.min(perRow, RollupCell.MAX_OFFSET + 1);
    this.values = new double[offsets * aggregators.size()];
    this.timestamps = new long[offsets * aggregators.size()];
    this.present = new int[offsets];
    this.twice = new int[offsets];
    Arrays.fill(places, -1);
    int known = aggregators.ofInterval(interval);
    for (int i = 0; i < aggregators.size(); i++) {
      int id = aggregators.ids().get(i);
      if (id >= 0 && (known >> i & 1) != 0) {
        places[id] = i;
      }
    }
  }

  @Override
  public void restart() {
    super.restart();
    Arrays.fill(present, 0);
    Arrays.fill(twice, 0);
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
    count(timestamp);
    if (!RollupCell.is(qualifier, qualifierOffset, qualifierLength)) {
      hasUnknown = true;
      malformed(qualifier, qualifierOffset, qualifierLength, "its qualifier is none of a rollup");
      return;
    }
    int place = places[RollupCell.aggregatorId(qualifier, qualifierOffset)];
    if (place < 0) {
      other();
      hasUnknown = true;
      return;
    }
    boolean isOther = (wanted >> place & 1) == 0;
    if (isOther) {
      other();
    }
    int offset = RollupCell.offset(qualifier, qualifierOffset);
    if (offset >= present.length) {
      hasUnknown = true;
      if (!isOther) {
        malformed(
            qualifier,
            qualifierOffset,
            qualifierLength,
            "its offset must be less than " + present.length + ", found " + offset);
      }
      return;
    }
    double number;
    try {
      number = RollupCell.decode(qualifier, qualifierOffset, value, valueOffset, valueLength);
    } catch (IllegalArgumentException e) {
      hasFailed = true;
      if (!isOther) {
        malformed(qualifier, qualifierOffset, qualifierLength, String.valueOf(e.getMessage()));
      }
      return;
    }
    put(offset, place, number, timestamp);
  }

  /**
   * Stores a value. Cells arrive in column order; of two with equal timestamps, the later column
   * wins.
   */
  private void put(int offset, int place, double number, long timestamp) {
    int at = offset * aggregators.size() + place;
    last = Math.max(last, offset);
    hasNaN |= Double.isNaN(number);
    if (((present[offset] >> place) & 1) != 0) {
      // A second column differs in width or type, so its bytes are never the same.
      twice[offset] |= fixDuplicates ? 0 : 1 << place;
      isAmbiguous |= !fixDuplicates || timestamp == timestamps[at];
      if (timestamp < timestamps[at]) {
        return;
      }
    }
    present[offset] |= 1 << place;
    values[at] = number;
    timestamps[at] = timestamp;
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
   * Makes the record of a wider rollup. It lacks a value that one of its parts lacks, and those
   * that cannot be made of parts.
   *
   * @param first offset of its first part
   * @param parts number of its parts
   * @return null if there are none
   */
  byte @Nullable [] computed(int first, int parts) {
    int has = 0;
    int ofFirst = aggregators.names().indexOf(Aggregators.FIRST);
    int ofLast = aggregators.names().indexOf(Aggregators.LAST);
    double[] made = new double[aggregators.size()];
    made[Aggregators.MIN] = Double.POSITIVE_INFINITY;
    made[Aggregators.MAX] = Double.NEGATIVE_INFINITY;
    for (int i = first; i < Math.min(first + parts, present.length); i++) {
      int stored = present[i] & wanted;
      if (stored != 0) {
        int at = i * made.length;
        if (has == 0 && ofFirst >= 0) {
          made[ofFirst] = values[at + ofFirst];
        }
        if (ofLast >= 0) {
          made[ofLast] = values[at + ofLast];
        }
        has = has == 0 ? SOME | stored : has & (SOME | stored);
        made[Aggregators.SUM] += values[at + Aggregators.SUM];
        made[Aggregators.MIN] = Math.min(made[Aggregators.MIN], values[at + Aggregators.MIN]);
        made[Aggregators.MAX] = Math.max(made[Aggregators.MAX], values[at + Aggregators.MAX]);
        made[Aggregators.COUNT] += values[at + Aggregators.COUNT];
      }
    }
    return has == 0 ? null : VerifyRecord.computed(aggregators.made(has), made);
  }

  @Override
  int offsets() {
    return present.length;
  }

  @Override
  byte @Nullable [] record(int offset) {
    int stored = present[offset] & wanted;
    int size = aggregators.size();
    return stored == 0
        ? null
        : VerifyRecord.stored(stored, (twice[offset] & wanted) != 0, values, offset * size, size);
  }
}
