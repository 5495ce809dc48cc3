package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.hfile.TargetTable;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * What queries see of a loaded run in one table: whether it is what the run has written, and that
 * alone. The metrics of all other rollups are named, for example of those that a TSD or a run over
 * an older snapshot stored with a later timestamp, of deleted ones, of rollups whose raw points are
 * gone, and of cells of other widths. For one thread.
 *
 * <p>Runs over one snapshot have cells of one timestamp, which cannot be told apart. Their rollups
 * of the same metrics and times are equal; those of other metrics are not counted here.
 */
final class SeenRollups {
  private static final long HOUR_MILLIS = 3_600_000;
  private static final int ROWS_PER_CALL = 1000;

  private final RowKey rowKey;
  private final RollupInterval interval;
  private final boolean[] ids = new boolean[Byte.MAX_VALUE + 1];
  private final int countId;
  private final List<byte[]> prefixes = new ArrayList<>();
  private final long stamp;
  private final long from;
  private final long to;
  private final LongPredicate excluded;
  private final TreeMap<Long, Times> foreign = new TreeMap<>();
  private final TreeMap<Long, Times> foreignBefore = new TreeMap<>();
  private long ofRun;

  /**
   * The times of a metric's rollups that are not those of the run, seconds since the epoch.
   *
   * @param first begin of the first interval
   * @param end of the last interval
   */
  record Times(long first, long end) {
    Times and(Times other) {
      return new Times(Math.min(first, other.first), Math.max(end, other.end));
    }
  }

  /**
   * @param ids of the aggregators by their names
   * @param stamp timestamp of the run's cells, milliseconds since the epoch
   * @param from start of the run's window, seconds since the epoch
   * @param to its end, exclusive
   * @param excluded whether the run has not selected a metric, by its UID
   */
  SeenRollups(
      RowKey rowKey,
      RollupInterval interval,
      Map<String, Integer> ids,
      long stamp,
      long from,
      long to,
      LongPredicate excluded) {
    this.rowKey = rowKey;
    this.interval = interval;
    ids.forEach(
        (name, id) -> {
          this.ids[id] = true;
          prefixes.add((name + ":").getBytes(StandardCharsets.ISO_8859_1));
        });
    this.countId = ids.getOrDefault("count", -1);
    this.stamp = stamp;
    this.from = from;
    this.to = to;
    this.excluded = excluded;
  }

  /**
   * Looks at all rollups of the window. No rollup is stored before its interval begins, so older
   * HFiles are not read.
   *
   * @throws IOException when HBase fails
   */
  void ofWindow(Table table) throws IOException {
    Scan scan = scan(Math.max(0, from * 1000 - HOUR_MILLIS));
    scan.setFilter(BaseTimes.filter(rowKey.timeOffset(), interval, from, to));
    look(table, scan, false);
  }

  /**
   * Looks at the rollups before the window that the run has written or taken back. Others are those
   * of earlier runs.
   *
   * @throws IOException when HBase fails
   */
  void beforeWindow(Table table, WrittenFile file) throws IOException {
    Scan scan = scan(stamp).withStartRow(file.firstRow(), true).withStopRow(file.lastRow(), true);
    look(table, scan, true);
  }

  /**
   * The same, wherever in the table they are.
   *
   * @throws IOException when HBase fails
   */
  void beforeWindow(Table table) throws IOException {
    look(table, scan(stamp), true);
  }

  /** A scan that returns what newer cells and deletions hide, too. */
  private static Scan scan(long oldest) throws IOException {
    return new Scan()
        .addFamily(TargetTable.FAMILY.getBytes(StandardCharsets.ISO_8859_1))
        .setTimeRange(oldest, Long.MAX_VALUE)
        .setRaw(true)
        .readAllVersions()
        .setCaching(ROWS_PER_CALL)
        .setCacheBlocks(false);
  }

  private void look(Table table, Scan scan, boolean late) throws IOException {
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        row(row.rawCells(), late);
      }
    }
  }

  /**
   * A row.
   *
   * @param cells of all versions, with delete markers, in HBase's order: by column, newest first
   * @param late whether it is looked at for rollups before the window
   */
  void row(Cell[] cells, boolean late) {
    byte[] key = CellUtil.cloneRow(cells[0]);
    if (key.length < rowKey.tagsOffset() || excluded.test(rowKey.metricUid(key, 0))) {
      return;
    }
    long base = rowKey.baseTime(key, 0);
    Deletions ofRow = new Deletions();
    for (int i = 0, end; i < cells.length; i = end) {
      end = i + 1;
      while (end < cells.length && CellUtil.matchingQualifier(cells[i], cells[end])) {
        end++;
      }
      byte[] column = CellUtil.cloneQualifier(cells[i]);
      int at = at(column);
      if (at >= 0) {
        long time = base + RollupCell.offset(column, at) * interval.seconds();
        if (late ? time < from : time >= from && time < to) {
          column(key, time, isOwn(column), late, Arrays.asList(cells).subList(i, end), ofRow);
        }
      } else if (column.length == 0) {
        Arrays.asList(cells).subList(i, end).forEach(ofRow::add);
      }
    }
  }

  /** All versions of a column. */
  private void column(
      byte[] key, long time, boolean own, boolean late, Iterable<Cell> cells, Deletions ofRow) {
    Deletions deletions = new Deletions();
    Cell seen = null;
    boolean stored = false;
    boolean takenBack = false;
    for (Cell cell : cells) {
      boolean ofStamp = own && cell.getTimestamp() == stamp;
      if (cell.getType() != Cell.Type.Put) {
        deletions.add(cell);
        takenBack |= ofStamp && cell.getType() == Cell.Type.DeleteColumn;
        continue;
      }
      stored |= ofStamp;
      if (seen == null && !ofRow.hide(cell) && !deletions.hide(cell)) {
        seen = cell;
      }
    }
    ofRun += stored || takenBack ? 1 : 0;
    boolean right =
        stored
            ? seen != null && seen.getTimestamp() == stamp
            // Before the window a column that is not of the run, and of its width, is of another.
            : seen == null || (late && own && !takenBack);
    if (!right) {
      (late ? foreignBefore : foreign)
          .merge(rowKey.metricUid(key, 0), new Times(time, time + interval.seconds()), Times::and);
    }
  }

  /** Delete markers of a row or a column. */
  private static final class Deletions {
    private long upTo = Long.MIN_VALUE;
    private Set<Long> versions = Set.of();

    void add(Cell marker) {
      switch (marker.getType()) {
        case DeleteFamily, DeleteColumn -> upTo = Math.max(upTo, marker.getTimestamp());
        case DeleteFamilyVersion, Delete -> {
          versions = new HashSet<>(versions);
          versions.add(marker.getTimestamp());
        }
        default -> {}
      }
    }

    boolean hide(Cell cell) {
      return cell.getTimestamp() <= upTo || versions.contains(cell.getTimestamp());
    }
  }

  /**
   * Where the three bytes begin that {@link RollupCell} reads, behind the aggregator's name or at
   * its id; -1 for a column that no query for an aggregator of the run reads.
   */
  private int at(byte[] column) {
    if (column.length == RollupCell.QUALIFIER_LENGTH) {
      return column[0] >= 0 && ids[column[0]] ? 0 : -1;
    }
    for (byte[] prefix : prefixes) {
      if (column.length == prefix.length + 2
          && Arrays.equals(column, 0, prefix.length, prefix, 0, prefix.length)) {
        return prefix.length - 1;
      }
    }
    return -1;
  }

  /** Whether the run writes columns of this form. */
  private boolean isOwn(byte[] column) {
    return column.length == RollupCell.QUALIFIER_LENGTH
        && RollupCell.valueLength(column, 0) == RollupCell.VALUE_LENGTH
        && RollupCell.isFloat(column, 0) != (column[0] == countId);
  }

  /** Rollups of the run that are in the table, seen or not, and those that it has taken back. */
  long ofRun() {
    return ofRun;
  }

  /** The metrics, by UID, whose rollups in the window are not those of the run, and when. */
  Map<Long, Times> foreign() {
    return foreign;
  }

  /** The same before the window. */
  Map<Long, Times> foreignBefore() {
    return foreignBefore;
  }
}
