package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.packed.CorruptPartException;
import io.tsdbsuite.format.packed.PackedRow;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one row of a packed table: their view, as queries see it. Timestamps of cells do not
 * matter.
 */
final class StoredPacked extends StoredRow {
  /** By the first byte of qualifiers; null of those that the interval has not, and of 0. */
  private final @Nullable PackedRow[] kinds = new PackedRow[PackedRow.kind("last") + 1];

  /** The bits of their aggregators. */
  private final int[] bits = new int[kinds.length];

  private final int slots;
  private final double[] values;

  /**
   * @param table for messages
   * @param interval of its rollups
   * @param perRow number of intervals in a row
   */
  StoredPacked(String table, Aggregators aggregators, String interval, int perRow) {
    super(table);
    this.slots = perRow;
    this.values = new double[aggregators.size()];
    int known = aggregators.ofInterval(interval);
    for (int place = Aggregators.COUNT; place < aggregators.size(); place++) {
      boolean isFour = place == Aggregators.COUNT;
      int kind = PackedRow.kind(isFour ? "" : aggregators.names().get(place));
      bits[kind] = (isFour ? Aggregators.FOUR : 1 << place) & known;
      kinds[kind] = bits[kind] == 0 ? null : new PackedRow(kind, perRow);
    }
  }

  @Override
  public void restart() {
    super.restart();
    for (PackedRow kind : kinds) {
      if (kind != null) {
        kind.clear();
      }
    }
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
    int kind = qualifierLength == 0 ? 0 : qualifier[qualifierOffset];
    if (kind <= 0 || kind >= kinds.length) {
      malformed(
          qualifier,
          qualifierOffset,
          qualifierLength,
          "its kind must be 1 to " + (kinds.length - 1));
      return;
    }
    PackedRow row = kinds[kind];
    if (row == null || (bits[kind] & wanted) == 0) {
      other();
      return;
    }
    try {
      row.add(
          key(),
          0,
          key().length,
          qualifier,
          qualifierOffset,
          qualifierLength,
          value,
          valueOffset,
          valueLength);
    } catch (CorruptPartException e) {
      malformed(": " + e.getMessage());
    }
  }

  @Override
  void malformed(StoredBooks books, String what) {
    books.malformedPart(what);
  }

  @Override
  int offsets() {
    return slots;
  }

  @Override
  byte @Nullable [] record(int offset) {
    int present = 0;
    boolean isTakenBack = false;
    for (int kind = 1; kind < kinds.length; kind++) {
      PackedRow row = kinds[kind];
      if (row != null && row.has(offset)) {
        present |= bits[kind];
        if (bits[kind] == Aggregators.FOUR) {
          values[Aggregators.SUM] = row.value(PackedRow.SUM, offset);
          values[Aggregators.MIN] = row.value(PackedRow.MIN, offset);
          values[Aggregators.MAX] = row.value(PackedRow.MAX, offset);
          values[Aggregators.COUNT] = row.count(offset);
        } else {
          int place = Integer.numberOfTrailingZeros(bits[kind]);
          values[place] = row.value(PackedRow.FURTHER, offset);
        }
      } else if (row != null) {
        isTakenBack |= row.isTakenBack(offset);
      }
    }
    if (present != 0) {
      return VerifyRecord.stored(present, false, values, 0, values.length);
    }
    return isTakenBack ? VerifyRecord.takenBack() : null;
  }
}
