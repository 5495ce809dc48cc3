package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.CorruptPartException;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.packed.PlainRow;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.verify.SeriesText;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Compares packed rows with plain ones in a part of their tables, both as queries see them: the
 * slots of a window, of all kinds. A row that differs is read again after the others, because a
 * repair may have stored one of the two and not yet the other. For one thread at a time.
 */
public final class PackedLook {
  private static final byte[] FAMILY = RowKey.family();
  private static final int ROWS_PER_CALL = 1000;
  private static final long HOUR_MILLIS = 3_600_000;

  /** Rows that are read again; those after them count as they were found. */
  private static final int MAX_AGAIN = 1000;

  /** Differences with all their values. */
  private static final int MAX_SHOWN = 3;

  private final RowKey rowKey;
  private final RollupInterval interval;
  private final long from;
  private final long to;
  private final LongPredicate excluded;
  private final PlainRow plain;
  private final List<String> kinds;
  private final List<PackedRow> ofPlain = new ArrayList<>();
  private final List<PackedRow> ofPacked = new ArrayList<>();
  private final Map<Long, TimeRanges> different = new TreeMap<>();
  private final List<Shown> shown = new ArrayList<>();
  private long differences;
  private boolean hasEqual;

  /** A slot, seconds since the epoch, and its values in both tables. */
  private record Shown(byte[] tsuid, long time, String values) {}

  /**
   * @param from start of the window, seconds since the epoch
   * @param to its end, exclusive
   * @param excluded whether the window has not a metric, by its UID
   */
  public PackedLook(
      RowKey rowKey,
      RollupConfig rollups,
      RollupInterval interval,
      long from,
      long to,
      LongPredicate excluded) {
    this.rowKey = rowKey;
    this.interval = interval;
    this.from = from;
    this.to = to;
    this.excluded = excluded;
    this.plain = new PlainRow(rollups, interval);
    this.kinds = plain.kinds();
    for (String kind : kinds) {
      ofPlain.add(new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow()));
      ofPacked.add(new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow()));
    }
  }

  /**
   * Compares the rows of a range.
   *
   * @throws IOException when HBase fails
   */
  void look(Table plainTable, Table packedTable, KeyRange range) throws IOException {
    List<byte[]> again = new ArrayList<>();
    try (ResultScanner plainRows = plainTable.getScanner(scan(range));
        ResultScanner packedRows = packedTable.getScanner(scan(range))) {
      Result left = plainRows.next();
      Result right = packedRows.next();
      while (left != null || right != null) {
        int order =
            left == null ? 1 : right == null ? -1 : Bytes.compareTo(left.getRow(), right.getRow());
        Result plainRow = order <= 0 ? left : null;
        Result packedRow = order >= 0 ? right : null;
        byte[] key = (plainRow == null ? right : left).getRow();
        if (!row(key, cells(plainRow), cells(packedRow), again.size() >= MAX_AGAIN)) {
          again.add(key);
        }
        left = order <= 0 ? plainRows.next() : left;
        right = order >= 0 ? packedRows.next() : right;
      }
    }
    for (byte[] key : again) {
      boolean unused = again(plainTable, packedTable, key);
    }
  }

  private Scan scan(KeyRange range) throws IOException {
    // No rollup is stored before its interval begins.
    return new Scan()
        .withStartRow(range.start(), true)
        .withStopRow(range.stop(), range.inclusive())
        .addFamily(FAMILY)
        .setTimeRange(Math.max(0, from * 1000 - HOUR_MILLIS), Long.MAX_VALUE)
        .setFilter(filter())
        .setCaching(ROWS_PER_CALL)
        .setCacheBlocks(false);
  }

  private Filter filter() {
    return SeenRollups.filter(rowKey.timeOffset(), interval, from, to);
  }

  /**
   * Finds the columns of the rows of the window, without values.
   *
   * @param start the first row
   */
  public Scan columns(byte[] start) {
    return new Scan()
        .withStartRow(start)
        .addFamily(FAMILY)
        .setFilter(new FilterList(filter(), new KeyOnlyFilter()))
        .setCaching(ROWS_PER_CALL)
        .setCacheBlocks(false);
  }

  /**
   * Compares one row as it is now, and counts what differs.
   *
   * @return whether it is equal
   * @throws IOException when HBase fails
   */
  public boolean isEqual(Table plainTable, Table packedTable, byte[] key) throws IOException {
    long before = differences;
    boolean unused = again(plainTable, packedTable, key);
    return differences == before;
  }

  private boolean again(Table plainTable, Table packedTable, byte[] key) throws IOException {
    Get get = new Get(key).addFamily(FAMILY);
    return row(key, cells(plainTable.get(get)), cells(packedTable.get(get)), true);
  }

  private static Cell[] cells(@Nullable Result row) {
    return row == null || row.isEmpty() ? new Cell[0] : row.rawCells();
  }

  /**
   * Compares a row.
   *
   * @param plainCells that queries see of it
   * @param packedCells the same of the packed row
   * @param counted whether a difference is counted
   * @return whether it is equal, or counted
   */
  boolean row(byte[] key, Cell[] plainCells, Cell[] packedCells, boolean counted) {
    if (key.length < rowKey.tagsOffset()
        || Bytes.equals(key, CoverageRows.tableMarkerRow())
        || excluded.test(rowKey.metricUid(key, 0))) {
      return true;
    }
    String problem = read(key, plainCells, packedCells);
    long base = rowKey.baseTime(key, 0);
    boolean isRight = true;
    int first = slot(Math.max(from, base) - base);
    int end = Math.min(slot(Math.max(to, base) - base), interval.intervalsPerRow());
    for (int slot = first; slot < end; slot++) {
      long time = base + slot * interval.seconds();
      String values = problem;
      for (int i = 0; i < kinds.size() && values == null; i++) {
        if (!ofPlain.get(i).isEqual(slot, ofPacked.get(i))) {
          values =
              "plain %s, packed %s"
                  .formatted(text(i, slot, ofPlain.get(i)), text(i, slot, ofPacked.get(i)));
        }
      }
      if (values == null) {
        hasEqual |= ofPlain.get(0).has(slot);
      } else if (!counted) {
        return false;
      } else {
        different(key, time, values);
        isRight = false;
      }
    }
    return isRight || counted;
  }

  /** The first slot that does not begin before a time, seconds since that of the row. */
  private int slot(long seconds) {
    return Math.toIntExact((seconds + interval.seconds() - 1) / interval.seconds());
  }

  /** Reads a row; returns why no slot can be compared, null if they can. */
  private @Nullable String read(byte[] key, Cell[] plainCells, Cell[] packedCells) {
    plain.clear();
    for (Cell cell : plainCells) {
      boolean unused =
          plain.cell(
              cell.getQualifierArray(),
              cell.getQualifierOffset(),
              cell.getQualifierLength(),
              cell.getValueArray(),
              cell.getValueOffset(),
              cell.getValueLength(),
              cell.getTimestamp());
    }
    for (int i = 0; i < kinds.size(); i++) {
      ofPlain.get(i).clear();
      ofPacked.get(i).clear();
      plain.addTo(ofPlain.get(i));
    }
    if (plain.leftOut() > 0) {
      return "the plain row cannot be packed: " + plain.problem();
    }
    try {
      for (Cell cell : packedCells) {
        for (int i = 0; i < kinds.size(); i++) {
          if (cell.getQualifierLength() > 0
              && cell.getQualifierArray()[cell.getQualifierOffset()]
                  == PackedRow.kind(kinds.get(i))) {
            add(cell, key, ofPacked.get(i));
          }
        }
      }
      return null;
    } catch (CorruptPartException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Adds the slots of a part to its row. */
  static void add(Cell cell, byte[] key, PackedRow row) throws CorruptPartException {
    row.add(
        key,
        0,
        key.length,
        cell.getQualifierArray(),
        cell.getQualifierOffset(),
        cell.getQualifierLength(),
        cell.getValueArray(),
        cell.getValueOffset(),
        cell.getValueLength());
  }

  private String text(int kind, int slot, PackedRow row) {
    if (!row.has(slot)) {
      return kind == 0 ? "nothing" : "no " + kinds.get(kind);
    }
    return kind == 0
        ? "sum %s min %s max %s count %s"
            .formatted(
                row.value(PackedRow.SUM, slot),
                row.value(PackedRow.MIN, slot),
                row.value(PackedRow.MAX, slot),
                row.count(slot))
        : kinds.get(kind) + ' ' + row.value(PackedRow.FURTHER, slot);
  }

  private void different(byte[] key, long time, String values) {
    TimeRanges times = TimeRanges.of(time * 1000, (time + interval.seconds()) * 1000);
    different.merge(rowKey.metricUid(key, 0), times, SeenRollups::both);
    differences++;
    if (shown.size() < MAX_SHOWN) {
      shown.add(new Shown(rowKey.tsuid(key, 0, key.length), time, values));
    }
  }

  /** Adds what was seen of another part of the tables. */
  public void add(PackedLook other) {
    other.different.forEach((metric, times) -> different.merge(metric, times, SeenRollups::both));
    differences += other.differences;
    hasEqual |= other.hasEqual;
    other.shown.stream().limit(MAX_SHOWN - shown.size()).forEach(shown::add);
  }

  /** The metrics, by UID, whose slots in the window differ, and when. */
  Map<Long, TimeRanges> different() {
    return different;
  }

  /** Whether slots differ, and none that has values is equal: the packed table has other ones. */
  boolean hasNothing() {
    return differences > 0 && !hasEqual;
  }

  /** How many slots differ, and the first ones; empty if none does. */
  public String text(Level level, SeriesText names) {
    if (differences == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %s slots of packed rows of table %s must be as in table %s, and are not"
            .formatted(level.text(), differences, level.table(), interval.table()));
    for (Shown each : shown) {
      text.append(
          "; %s at %s: %s"
              .formatted(names.text(each.tsuid), Instant.ofEpochSecond(each.time), each.values));
    }
    return text.toString();
  }
}
