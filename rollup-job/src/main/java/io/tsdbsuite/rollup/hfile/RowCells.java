package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.RegionHFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import scala.Tuple2;

/**
 * Turns the sorted records of a region into the cells of its rows. Within a row HBase sorts by
 * qualifier, which is aggregator first and time second (docs/storage.md 6.3), or the kind of a part
 * (7). So the records of a row, at most 3840 intervals, are held in memory; a packed row gets one
 * part of each kind.
 */
final class RowCells {
  private static final byte[] FAMILY = RowKey.family();

  /** Position of the count, which is an integer. */
  private static final int COUNT = -1;

  /** Position of values that only some rollups have. */
  private static final int FURTHER = -2;

  /**
   * The columns of an aggregator.
   *
   * @param position where its value is in a rollup; {@link #COUNT}, {@link #FURTHER}
   */
  private record Column(int id, int position) {}

  /** Whether the table has histograms; {@link #columns} has none of these, nor of parts. */
  private final boolean isHistogram;

  private final List<Column> columns = new ArrayList<>();

  /** A row of each kind, by the id of its aggregator; {@link #COUNT} of the four values. */
  private final Map<Integer, PackedRow> packed = new LinkedHashMap<>();

  private final long stamp;
  private final List<byte[]> rollups = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();
  private long written;
  private byte[] firstRow = {};
  private byte[] lastRow = {};

  /**
   * @param target whose cells it makes
   * @param stamp timestamp of the cells, milliseconds since the epoch
   */
  RowCells(Target target, long stamp) {
    this.stamp = stamp;
    this.isHistogram = target.isHistogram();
    if (target.isPacked()) {
      int slots = target.interval().intervalsPerRow();
      packed.put(COUNT, new PackedRow(PackedRow.kind(""), slots));
      for (String name : SuiteConfig.NAMES) {
        Integer id = target.ids().get(name);
        if (id != null) {
          packed.put(id, new PackedRow(PackedRow.kind(name), slots));
        }
      }
    } else if (!isHistogram) {
      target.ids().forEach((name, id) -> columns.add(new Column(id, position(name))));
      columns.sort(Comparator.comparingInt(Column::id));
    }
  }

  private static int position(String aggregator) {
    return switch (aggregator) {
      case "sum" -> RollupRecord.SUM;
      case "min" -> RollupRecord.MIN;
      case "max" -> RollupRecord.MAX;
      case "count" -> COUNT;
      default -> FURTHER;
    };
  }

  /**
   * Writes all cells.
   *
   * @param records of one region, in {@link RollupRecord#ORDER}
   * @throws IllegalStateException when two records have the same interval of a row: a defect
   */
  void write(Iterator<Tuple2<byte[], byte[]>> records, RegionHFiles files) throws IOException {
    byte[] current = null;
    while (records.hasNext()) {
      Tuple2<byte[], byte[]> record = records.next();
      if (current != null && !RollupRecord.sameRow(current, record._1())) {
        endRow(current, files);
      }
      current = record._1();
      rollups.add(record._2());
    }
    if (current != null) {
      endRow(current, files);
    }
  }

  private void endRow(byte[] recordKey, RegionHFiles files) throws IOException {
    byte[] row = RollupRecord.row(recordKey);
    cells.clear();
    List<byte[]> inOrder = inOrder(row, rollups, isHistogram);
    for (Column column : columns) {
      for (byte[] value : inOrder) {
        for (int at = 0; at < value.length; at += RollupRecord.size(value, at, false)) {
          add(row, column, value, at);
        }
      }
    }
    packed.forEach((id, parts) -> addPart(row, id, parts, inOrder));
    for (byte[] value : isHistogram ? inOrder : List.<byte[]>of()) {
      for (int at = 0; at < value.length; at += RollupRecord.size(value, at, true)) {
        cells.add(histogram(row, value, at));
      }
    }
    files.append(cells);
    written += cells.size();
    if (firstRow.length == 0) {
      firstRow = row;
    }
    lastRow = row;
    rollups.clear();
  }

  /**
   * The rollups of a row in the order of time. Records are sorted by their first interval, and one
   * that takes a rollup back may lie between two rollups of another record.
   *
   * @throws IllegalStateException when an interval is there twice
   */
  static List<byte[]> inOrder(byte[] row, List<byte[]> records, boolean isHistogram) {
    int last = -1;
    boolean ascends = true;
    for (byte[] value : records) {
      for (int at = 0; at < value.length; at += RollupRecord.size(value, at, isHistogram)) {
        int offset = RollupRecord.offset(value, at);
        ascends &= offset > last;
        last = offset;
      }
    }
    return ascends ? records : sorted(row, records, isHistogram);
  }

  private static List<byte[]> sorted(byte[] row, List<byte[]> records, boolean isHistogram) {
    TreeMap<Integer, byte[]> sorted = new TreeMap<>();
    for (byte[] value : records) {
      for (int at = 0; at < value.length; at += RollupRecord.size(value, at, isHistogram)) {
        int offset = RollupRecord.offset(value, at);
        byte[] copy = Arrays.copyOfRange(value, at, at + RollupRecord.size(value, at, isHistogram));
        if (sorted.put(offset, copy) != null) {
          throw new IllegalStateException(
              "row " + Bytes.toStringBinary(row) + ": interval " + offset + " is there twice");
        }
      }
    }
    return new ArrayList<>(sorted.values());
  }

  /** Adds the part of a kind, if one of the rollups has its aggregator, or is taken back. */
  private void addPart(byte[] row, int id, PackedRow part, List<byte[]> values) {
    part.clear();
    for (byte[] value : values) {
      for (int at = 0; at < value.length; at += RollupRecord.size(value, at, false)) {
        int slot = RollupRecord.offset(value, at);
        long count = RollupRecord.count(value, at);
        int further = id == COUNT ? -1 : RollupRecord.find(value, at, id);
        if (count == 0) {
          part.takeBack(slot, stamp);
        } else if (id == COUNT) {
          part.put(
              slot,
              stamp,
              RollupRecord.number(value, at + RollupRecord.SUM),
              RollupRecord.number(value, at + RollupRecord.MIN),
              RollupRecord.number(value, at + RollupRecord.MAX),
              count);
        } else if (further >= 0) {
          part.put(slot, stamp, RollupRecord.number(value, further));
        }
      }
    }
    if (!part.isEmpty()) {
      byte[] value = part.value();
      byte[] qualifier = part.qualifier(row, 0, row.length, value);
      cells.add(new KeyValue(row, FAMILY, qualifier, stamp, value));
    }
  }

  private Cell histogram(byte[] row, byte[] value, int at) {
    byte[] qualifier = HistogramColumn.of(RollupRecord.offset(value, at));
    int from = at + RollupRecord.HISTOGRAM;
    int length = RollupRecord.length(value, at);
    return length == 0
        ? new KeyValue(row, FAMILY, qualifier, stamp, KeyValue.Type.DeleteColumn)
        : new KeyValue(
            row, FAMILY, qualifier, stamp, Arrays.copyOfRange(value, from, from + length));
  }

  private void add(byte[] row, Column column, byte[] value, int at) {
    int offset = RollupRecord.offset(value, at);
    if (RollupRecord.count(value, at) == 0) {
      cells.add(deletion(row, column, offset));
    } else if (column.position() == COUNT) {
      cells.add(
          new KeyValue(
              row,
              FAMILY,
              RollupCell.countQualifier(column.id(), offset),
              stamp,
              RollupCell.countValue(RollupRecord.count(value, at))));
    } else {
      int position =
          column.position() == FURTHER
              ? RollupRecord.find(value, at, column.id())
              : at + column.position();
      if (position >= 0) {
        cells.add(
            new KeyValue(
                row,
                FAMILY,
                RollupCell.doubleQualifier(column.id(), offset),
                stamp,
                RollupCell.doubleValue(RollupRecord.number(value, position))));
      }
    }
  }

  /** Deletes the column up to the run's timestamp; HBase keeps values with later timestamps. */
  private Cell deletion(byte[] row, Column column, int offset) {
    byte[] qualifier =
        column.position() == COUNT
            ? RollupCell.countQualifier(column.id(), offset)
            : RollupCell.doubleQualifier(column.id(), offset);
    return new KeyValue(row, FAMILY, qualifier, stamp, KeyValue.Type.DeleteColumn);
  }

  /** Cells written. */
  long written() {
    return written;
  }

  /** The first row; empty if there was none. */
  byte[] firstRow() {
    return firstRow;
  }

  /** The last row; empty if there was none. */
  byte[] lastRow() {
    return lastRow;
  }
}
