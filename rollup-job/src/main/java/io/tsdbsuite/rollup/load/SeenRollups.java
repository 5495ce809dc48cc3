package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * What queries see of a loaded run in a part of a table: whether it is what the run has written, or
 * what raw points make, and that alone. The metrics of all other rollups are named, for example of
 * deleted ones, of rollups whose raw points are gone, and of cells of other widths. For one thread
 * at a time.
 *
 * <p>A rollup with a later timestamp than the run's, as of a repair, is compared with the raw
 * points after the look ({@link #prove}): what it lacks then comes later, and is masked.
 *
 * <p>Runs over one snapshot have cells of one timestamp, which cannot be told apart. Their rollups
 * of the same metrics and times are equal; those of other metrics are not counted here.
 */
final class SeenRollups {
  private static final long HOUR_MILLIS = 3_600_000;
  private static final int ROWS_PER_CALL = 1000;

  /** The filter of rows compares each with each of its keys. */
  private static final int MAX_KEYS = 50;

  private static final byte ANY = 1;

  private final RowKey rowKey;
  private final RollupInterval interval;
  private final boolean[] ids = new boolean[Byte.MAX_VALUE + 1];
  private final int sumId;
  private final int minId;
  private final int maxId;
  private final int countId;
  private final List<byte[]> prefixes = new ArrayList<>();
  private final long stamp;
  private final long from;
  private final long to;
  private final LongPredicate excluded;
  private final AtomicInteger compared;
  private final List<Newer> newer = new ArrayList<>();
  private final TreeMap<Long, TimeRanges> foreign = new TreeMap<>();
  private final TreeMap<Long, TimeRanges> foreignBefore = new TreeMap<>();
  private long ofRun;

  /** A rollup of a later timestamp. */
  private record Newer(RawRollups.Rollup rollup, boolean late) {}

  /** What a query reads of a column is not the run's, and whether it is newer. */
  private enum Verdict {
    RIGHT,
    NEWER,
    FOREIGN
  }

  /**
   * @param ids of the aggregators by their names
   * @param stamp timestamp of the run's cells, milliseconds since the epoch
   * @param from start of the run's window, seconds since the epoch
   * @param to its end, exclusive
   * @param excluded whether the run has not selected a metric, by its UID
   * @param compared how many rollups may still be compared with raw points, by all parts
   */
  SeenRollups(
      RowKey rowKey,
      RollupInterval interval,
      Map<String, Integer> ids,
      long stamp,
      long from,
      long to,
      LongPredicate excluded,
      AtomicInteger compared) {
    this.rowKey = rowKey;
    this.interval = interval;
    ids.forEach(
        (name, id) -> {
          this.ids[id] = true;
          prefixes.add((name + ":").getBytes(StandardCharsets.ISO_8859_1));
        });
    this.sumId = ids.getOrDefault("sum", -1);
    this.minId = ids.getOrDefault("min", -1);
    this.maxId = ids.getOrDefault("max", -1);
    this.countId = ids.getOrDefault("count", -1);
    this.stamp = stamp;
    this.from = from;
    this.to = to;
    this.excluded = excluded;
    this.compared = compared;
  }

  /**
   * Looks at the rollups of the window in a part of the table. No rollup is stored before its
   * interval begins, so older HFiles are not read.
   *
   * @throws IOException when HBase fails
   */
  void ofWindow(Table table, KeyRange part) throws IOException {
    Scan scan = scan(part, Math.max(0, from * 1000 - HOUR_MILLIS));
    scan.setFilter(filter(rowKey.timeOffset(), interval, from, to));
    look(table, scan, false);
  }

  /**
   * A filter that skips from metric to metric. It passes all rows with rollups of the window, and
   * of many base times some rows around them.
   *
   * <pre>
   *   | salt, metric UID: any | base time: 4 bytes, or its first ones | tags
   * </pre>
   *
   * @param timeOffset bytes before the base time
   * @param from seconds since the epoch
   * @param to seconds since the epoch, exclusive
   */
  static Filter filter(int timeOffset, RollupInterval interval, long from, long to) {
    TreeSet<Long> times = new TreeSet<>();
    for (long time = from; time < to; time += interval.seconds()) {
      times.add(interval.baseTime(time));
    }
    int bytes = RowKey.TIME_WIDTH;
    while (times.size() > MAX_KEYS) {
      TreeSet<Long> shorter = new TreeSet<>();
      times.forEach(time -> shorter.add(time >>> Byte.SIZE));
      times = shorter;
      bytes--;
    }
    List<Pair<byte[], byte[]>> keys = new ArrayList<>();
    for (long time : times) {
      byte[] key = new byte[timeOffset + bytes];
      Uids.write(time, key, timeOffset, bytes);
      byte[] mask = new byte[key.length];
      Arrays.fill(mask, 0, timeOffset, ANY);
      keys.add(new Pair<>(key, mask));
    }
    return new FuzzyRowFilter(keys);
  }

  /**
   * Looks at the rollups before the window that the run has written or taken back, in a part of the
   * table. Others are those of earlier runs.
   *
   * @throws IOException when HBase fails
   */
  void beforeWindow(Table table, KeyRange part) throws IOException {
    look(table, scan(part, stamp), true);
  }

  /** A scan that returns what newer cells and deletions hide, too. */
  private static Scan scan(KeyRange part, long oldest) throws IOException {
    return new Scan()
        .withStartRow(part.start(), true)
        .withStopRow(part.stop(), part.inclusive())
        .addFamily(RowKey.family())
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
    List<Column> columns = columns(cells, rowKey.baseTime(key, 0));
    Map<Long, Verdict> odd = new TreeMap<>();
    for (Column column : columns) {
      long time = column.time;
      if (late ? time < from : time >= from && time < to) {
        Verdict verdict = verdict(column, late);
        if (verdict != Verdict.RIGHT) {
          odd.merge(time, verdict, (one, other) -> one == other ? one : Verdict.FOREIGN);
        }
      }
    }
    odd.forEach(
        (time, verdict) -> {
          // A row in another salt bucket is a second one of its series.
          boolean comparable = verdict == Verdict.NEWER && rowKey.check(key, 0, key.length) == null;
          RawRollups.Rollup rollup = comparable ? rollup(key, time, columns) : null;
          if (rollup != null && compared.decrementAndGet() >= 0) {
            newer.add(new Newer(rollup, late));
          } else {
            foreign(key, time, late);
          }
        });
  }

  /** All versions of a column that queries may read. */
  private final class Column {
    final byte[] name;
    final long time;
    final boolean own;
    boolean stored;
    boolean takenBack;

    /** What a query reads. */
    @Nullable Cell seen;

    Column(byte[] name, long time, List<Cell> cells, Deletions ofRow) {
      this.name = name;
      this.time = time;
      this.own = isOwn(name);
      Deletions deletions = new Deletions();
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
    }
  }

  private List<Column> columns(Cell[] cells, long base) {
    List<Column> columns = new ArrayList<>();
    Deletions ofRow = new Deletions();
    for (int i = 0, end; i < cells.length; i = end) {
      end = i + 1;
      while (end < cells.length && CellUtil.matchingQualifier(cells[i], cells[end])) {
        end++;
      }
      List<Cell> versions = Arrays.asList(cells).subList(i, end);
      byte[] name = CellUtil.cloneQualifier(cells[i]);
      int at = at(name);
      if (at >= 0) {
        long time = base + RollupCell.offset(name, at) * interval.seconds();
        columns.add(new Column(name, time, versions, ofRow));
      } else if (name.length == 0) {
        versions.forEach(ofRow::add);
      }
    }
    return columns;
  }

  private Verdict verdict(Column column, boolean late) {
    Cell seen = column.seen;
    ofRun += column.stored || column.takenBack ? 1 : 0;
    if (seen == null) {
      return column.stored ? Verdict.FOREIGN : Verdict.RIGHT;
    }
    // Before the window a column that is not of the run, and of its width, is of another.
    boolean right =
        column.stored ? seen.getTimestamp() == stamp : late && column.own && !column.takenBack;
    if (right) {
      return Verdict.RIGHT;
    }
    return column.own && seen.getTimestamp() > stamp ? Verdict.NEWER : Verdict.FOREIGN;
  }

  /** What queries read of an interval; null if that is not one value of each aggregator. */
  private RawRollups.@Nullable Rollup rollup(byte[] key, long time, List<Column> columns) {
    Map<Integer, Double> values = new TreeMap<>();
    for (Column column : columns) {
      Cell seen = column.seen;
      if (column.time != time || seen == null) {
        continue;
      }
      byte[] value = CellUtil.cloneValue(seen);
      if (!column.own || value.length != RollupCell.VALUE_LENGTH) {
        return null;
      }
      values.put((int) column.name[0], RollupCell.decode(column.name, 0, value, 0, value.length));
    }
    Double sum = values.get(sumId);
    Double min = values.get(minId);
    Double max = values.get(maxId);
    Double count = values.get(countId);
    return sum == null || min == null || max == null || count == null
        ? null
        : new RawRollups.Rollup(key, time, interval.seconds(), sum, min, max, count);
  }

  private void foreign(byte[] key, long time, boolean late) {
    TimeRanges times = TimeRanges.of(time * 1000, (time + interval.seconds()) * 1000);
    (late ? foreignBefore : foreign).merge(rowKey.metricUid(key, 0), times, SeenRollups::both);
  }

  static TimeRanges both(TimeRanges one, TimeRanges other) {
    return other.size() == 1 && one.contains(other.from(0), other.to(0)) ? one : one.plus(other);
  }

  /**
   * Compares the rollups of later timestamps with raw points. Others than these make are not the
   * run's.
   *
   * @throws IOException when HBase fails
   */
  void prove(RawRollups raw) throws IOException {
    for (Newer each : newer) {
      if (!raw.make(each.rollup)) {
        foreign(each.rollup.key(), each.rollup.time(), each.late);
      }
    }
    newer.clear();
  }

  /** Adds what was seen of another part of the table. */
  void add(SeenRollups other) {
    other.foreign.forEach((metric, times) -> foreign.merge(metric, times, SeenRollups::both));
    other.foreignBefore.forEach(
        (metric, times) -> foreignBefore.merge(metric, times, SeenRollups::both));
    ofRun += other.ofRun;
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
  Map<Long, TimeRanges> foreign() {
    return foreign;
  }

  /** The same before the window. */
  Map<Long, TimeRanges> foreignBefore() {
    return foreignBefore;
  }
}
