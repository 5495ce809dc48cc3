package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.opentsdb.core.IllegalDataException;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a rollup table: the values of the piece.
 *
 * <p>A value has one cell for each width with which it was written; the newest cell counts, of
 * equally new ones that of 8 bytes, the width of the suite. A cell names its aggregator by its id,
 * or, written by OpenTSDB 2.4.0 and older, by its text:
 *
 * <pre>
 *   | id | oo oF |                 3 bytes
 *   | s u m : | oo oF |            length of the name + 3 bytes
 * </pre>
 */
final class RollupRows implements RowReader {
  private final RowKey keys;
  private final RollupInterval interval;
  private final Clip pieces;
  private final Column value;
  private final @Nullable Column count;

  /**
   * @param pieces the times that count
   */
  RollupRows(
      StorageSchema schema,
      RollupTables tables,
      RollupInterval interval,
      RollupFunction function,
      TimeRanges pieces) {
    this.keys = new RowKey(schema);
    this.interval = interval;
    this.pieces = new Clip(pieces);
    List<String> aggregators = function.aggregators();
    this.value = new Column(tables, aggregators.get(0));
    this.count = aggregators.size() == 1 ? null : new Column(tables, aggregators.get(1));
  }

  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    value.reset();
    if (count != null) {
      count.reset();
    }
    for (KeyValue cell : row) {
      if (!value.take(cell) && count != null) {
        count.take(cell);
      }
    }
    long base = keys.baseTime(row.get(0).key(), 0) * 1000;
    long width = interval.seconds() * 1000;
    if (base % width != 0) {
      throw new IllegalDataException(
          "base time " + base + " ms of a row of " + interval + " is not a multiple of it");
    }
    int offsets = count == null ? value.end : Math.max(value.end, count.end);
    for (int offset = 0; offset < offsets; offset++) {
      long time = base + offset * width;
      if (pieces.has(time)) {
        add(offset, time, series);
      }
    }
  }

  private void add(int offset, long time, ScannedSeries series) {
    boolean hasValue = value.has(offset);
    if (count == null) {
      if (hasValue) {
        series.add(time, value.values[offset], 1);
      }
      return;
    }
    if (hasValue != count.has(offset)) {
      throw new IllegalDataException(
          String.format(
              "rollup of %s at %s ms has %s",
              interval.interval(),
              time,
              hasValue ? "a sum without a count" : "a count without a sum"));
    }
    if (hasValue) {
      series.add(time, value.values[offset], (long) count.values[offset]);
    }
  }

  /** The values of one aggregator in a row. */
  private static final class Column {
    private final byte id;
    private final byte[] name;
    double[] values = new double[64];
    private long[] stamps = new long[64];
    private byte[] widths = new byte[64];
    int end;

    Column(RollupTables tables, String aggregator) {
      this.id = (byte) tables.id(aggregator);
      this.name = (aggregator + ":").getBytes(StandardCharsets.ISO_8859_1);
    }

    void reset() {
      Arrays.fill(widths, 0, end, (byte) 0);
      end = 0;
    }

    boolean has(int offset) {
      return offset < end && widths[offset] > 0;
    }

    /** Takes a cell of this aggregator; false if it is of another one. */
    boolean take(KeyValue cell) {
      byte[] q = cell.qualifier();
      int at = at(q);
      if (at < 0) {
        return false;
      }
      byte[] v = cell.value();
      double decoded;
      try {
        decoded = RollupCell.decode(q, at, v, 0, v.length);
      } catch (IllegalArgumentException e) {
        throw new IllegalDataException("cell of a rollup row cannot be read: " + cell, e);
      }
      int offset = RollupCell.offset(q, at);
      if (offset >= values.length) {
        int room = Math.max(offset + 1, 2 * values.length);
        values = Arrays.copyOf(values, room);
        stamps = Arrays.copyOf(stamps, room);
        widths = Arrays.copyOf(widths, room);
      }
      boolean better =
          widths[offset] == 0
              || cell.timestamp() > stamps[offset]
              || (cell.timestamp() == stamps[offset] && v.length > widths[offset]);
      if (better) {
        values[offset] = decoded;
        stamps[offset] = cell.timestamp();
        widths[offset] = (byte) v.length;
      }
      end = Math.max(end, offset + 1);
      return true;
    }

    /** Where the three bytes begin that {@link RollupCell} reads; -1: another aggregator's. */
    private int at(byte[] q) {
      if (q.length == RollupCell.QUALIFIER_LENGTH) {
        return q[0] == id ? 0 : -1;
      }
      if (q.length != name.length + 2) {
        return -1;
      }
      for (int i = 0; i < name.length; i++) {
        if (q[i] != name[i]) {
          return -1;
        }
      }
      return name.length - 1;
    }
  }
}
