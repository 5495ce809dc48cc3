package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.CorruptPartException;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.List;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.KeyValue;

/**
 * Rows of a packed table: the values of the piece. Parts come in any order, of other kinds, too.
 */
final class PackedRows implements RowReader {
  /** Times and numbers of a slot, and beside them in {@link PackedRow}. */
  private static final int BYTES_OF_SLOT = 40;

  private static final int BYTES_OF_ROW = 400;

  private final RowKey keys;
  private final RollupInterval interval;
  private final RollupFunction function;
  private final Clip pieces;
  private final PackedRow slots;
  private final int kind;
  private final int column;

  /**
   * @param pieces the times that count
   */
  PackedRows(
      StorageSchema schema, RollupInterval interval, RollupFunction function, TimeRanges pieces) {
    this.keys = new RowKey(schema);
    this.interval = interval;
    this.function = function;
    this.pieces = new Clip(pieces);
    this.kind = PackedRow.kind(function.level());
    this.slots = new PackedRow(kind, interval.intervalsPerRow());
    this.column = column(function);
  }

  /** That of values other than the count. */
  private static int column(RollupFunction function) {
    switch (function) {
      case MIN:
        return PackedRow.MIN;
      case MAX:
        return PackedRow.MAX;
      default:
        return function.level().isEmpty() ? PackedRow.SUM : PackedRow.FURTHER;
    }
  }

  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    byte[] key = row.get(0).key();
    long base = keys.baseTime(key, 0) * 1000;
    long width = interval.seconds() * 1000;
    int end = interval.intervalsPerRow();
    // A scan may go over rows that are not read: whatever is wrong in them does not matter.
    if (!pieces.hasAny(base, base + end * width)) {
      return;
    }
    if (base % width != 0) {
      throw unreadable(
          key,
          new IllegalDataException("base time " + base + " ms is not a multiple of the interval"));
    }
    slots.clear();
    for (KeyValue part : row) {
      byte[] q = part.qualifier();
      byte[] v = part.value();
      if (q.length > 0 && q[0] != kind) {
        continue;
      }
      try {
        slots.add(key, 0, key.length, q, 0, q.length, v, 0, v.length);
      } catch (CorruptPartException e) {
        throw unreadable(key, e);
      }
    }
    long time = base;
    try {
      for (int slot = 0; slot < end; slot++, time += width) {
        if (slots.has(slot) && pieces.has(time)) {
          add(slot, time, series);
        }
      }
    } catch (IllegalStateException e) {
      // Rows of two spans have the same time.
      throw unreadable(key, e);
    }
  }

  private UnreadablePackedException unreadable(byte[] key, Exception cause) {
    return new UnreadablePackedException(
        "packed row of "
            + interval.interval()
            + ", key "
            + UniqueId.uidToString(key)
            + ": "
            + cause.getMessage(),
        cause);
  }

  private void add(int slot, long time, ScannedSeries series) {
    switch (function) {
      case COUNT:
        series.add(time, (double) slots.count(slot), 1);
        break;
      case AVG:
        series.add(time, slots.value(PackedRow.SUM, slot), slots.count(slot));
        break;
      default:
        series.add(time, slots.value(column, slot), 1);
    }
  }

  @Override
  public long bytes() {
    return BYTES_OF_ROW + (long) BYTES_OF_SLOT * interval.intervalsPerRow();
  }
}
