package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.rollup.hfile.Manifest;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
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
  /** Sum, min, max and count, which are looked at as one; further aggregators have their names. */
  static final String FOUR = "";

  private static final long HOUR_MILLIS = 3_600_000;
  private static final byte[] FAMILY = RowKey.family();
  private static final int ROWS_PER_CALL = 1000;

  /** The filter of rows compares each with each of its keys. */
  private static final int MAX_KEYS = 50;

  private static final byte ANY = 1;

  private final RowKey rowKey;
  private final boolean isHistogram;
  private final RollupInterval interval;
  private final Map<String, Integer> further = new TreeMap<>();
  private final @Nullable String[] levelOf = new String[Byte.MAX_VALUE + 1];
  private final int sumId;
  private final int minId;
  private final int maxId;
  private final int countId;
  private final Map<String, byte[]> prefixes = new TreeMap<>();
  private final long stamp;
  private final long from;
  private final long to;
  private final LongPredicate excluded;
  private final AtomicInteger compared;
  private final List<Newer> newer = new ArrayList<>();
  private final Map<String, Map<Long, TimeRanges>> foreign = new TreeMap<>();
  private final Map<String, Map<Long, TimeRanges>> foreignBefore = new TreeMap<>();
  private final long[] ofRun = new long[Byte.MAX_VALUE + 1];

  /**
   * A rollup of a later timestamp.
   *
   * @param levels what of it is newer, or beside what is
   */
  private record Newer(RawRollups.Rollup rollup, boolean late, Set<String> levels) {}

  /** What a query reads of a column is not the run's, and whether it is newer. */
  private enum Verdict {
    RIGHT,
    NEWER,
    FOREIGN
  }

  /**
   * @param of what the table has
   * @param ids of the aggregators by their names; not used of histograms
   * @param stamp timestamp of the run's cells, milliseconds since the epoch
   * @param from start of the run's window, seconds since the epoch
   * @param to its end, exclusive
   * @param excluded whether the run has not selected a metric, by its UID
   * @param compared how many rollups may still be compared with raw points, by all parts
   */
  SeenRollups(
      RowKey rowKey,
      Level of,
      Map<String, Integer> ids,
      long stamp,
      long from,
      long to,
      LongPredicate excluded,
      AtomicInteger compared) {
    this.rowKey = rowKey;
    this.isHistogram = of.isHistogram();
    this.interval = of.interval();
    if (isHistogram) {
      levelOf[HistogramColumn.of(0)[0]] = Level.HISTOGRAM;
    }
    (isHistogram ? Map.<String, Integer>of() : ids)
        .forEach(
            (name, id) -> {
              levelOf[id] = level(name);
              if (!level(name).equals(FOUR)) {
                further.put(name, id);
              }
              prefixes.put(name, (name + ":").getBytes(StandardCharsets.ISO_8859_1));
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

  private static String level(String aggregator) {
    return aggregator.matches("sum|min|max|count") ? FOUR : aggregator;
  }

  /** What is looked at alone: {@link #FOUR}, and each further aggregator; or histograms. */
  static Set<String> levels(Manifest.Table table) {
    return table.isHistogram()
        ? Set.of(Level.HISTOGRAM)
        : table.ids().keySet().stream().map(SeenRollups::level).collect(Collectors.toSet());
  }

  /**
   * Looks at the rollups of the window in a part of the table. No rollup is stored before its
   * interval begins, so older HFiles are not read.
   *
   * @throws IOException when HBase fails
   */
  void ofWindow(Table table, KeyRange part) throws IOException {
    Scan scan = scan(part, Math.max(0, from * 1000 - HOUR_MILLIS));
    scan.setFilter(filter(rowKey.timeOffset(), isHistogram ? null : interval, from, to));
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
   * @param interval of the rollups; null of raw rows
   * @param from seconds since the epoch
   * @param to seconds since the epoch, exclusive
   */
  static Filter filter(int timeOffset, @Nullable RollupInterval interval, long from, long to) {
    TreeSet<Long> times = new TreeSet<>();
    long step = interval == null ? RowKey.ROW_SPAN_SECONDS : interval.seconds();
    for (long time = from; time < to; time += step) {
      times.add(interval == null ? time - time % step : interval.baseTime(time));
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
        .addFamily(FAMILY)
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
    Map<Long, Map<String, Verdict>> odd = new TreeMap<>();
    for (Column column : columns) {
      long time = column.time;
      if (late ? time < from : time >= from && time < to) {
        Verdict verdict = verdict(column, late);
        if (verdict != Verdict.RIGHT) {
          odd.computeIfAbsent(time, of -> new TreeMap<>())
              .merge(column.level, verdict, (one, other) -> one == other ? one : Verdict.FOREIGN);
        }
      }
    }
    odd.forEach((time, verdicts) -> odd(key, time, columns, verdicts, late));
  }

  /** A rollup that is not wholly the run's. */
  private void odd(
      byte[] key, long time, List<Column> columns, Map<String, Verdict> verdicts, boolean late) {
    if (verdicts.get(FOUR) == Verdict.FOREIGN) {
      foreign(FOUR, key, time, late);
      return;
    }
    if (verdicts.get(FOUR) == Verdict.NEWER) {
      // Raw points have changed since the run, which has written what is beside.
      further.keySet().forEach(name -> verdicts.putIfAbsent(name, Verdict.NEWER));
    }
    Set<String> levels = new TreeSet<>(verdicts.keySet());
    levels.removeIf(level -> verdicts.get(level) == Verdict.FOREIGN);
    // A row in another salt bucket is a second one of its series.
    boolean comparable = !levels.isEmpty() && rowKey.check(key, 0, key.length) == null;
    RawRollups.Rollup rollup = comparable ? rollup(key, time, columns, levels) : null;
    if (rollup != null && compared.decrementAndGet() >= 0) {
      newer.add(new Newer(rollup, late, levels));
      verdicts.keySet().removeAll(levels);
    }
    verdicts.keySet().forEach(level -> foreign(level, key, time, late));
  }

  /** All versions of a column that queries may read. */
  private final class Column {
    final byte[] name;
    final String level;
    final long time;
    final boolean own;
    boolean stored;
    boolean takenBack;

    /** What a query reads. */
    @Nullable Cell seen;

    Column(byte[] name, String level, long base, List<Cell> cells, Deletions ofRow) {
      this.name = name;
      this.level = level;
      long millis = isHistogram ? HistogramColumn.offsetMillis(name, 0, name.length) : 0;
      // Behind the aggregator's name two bytes are as behind its id.
      long offset =
          isHistogram
              ? (base + millis / 1000) % interval.seconds()
              : RollupCell.offset(name, name.length - RollupCell.QUALIFIER_LENGTH);
      this.time = isHistogram ? base + millis / 1000 - offset : base + offset * interval.seconds();
      this.own =
          isHistogram ? name.length == HistogramColumn.of(0).length && offset == 0 : isOwn(name);
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
      String level = levelOf(name);
      if (level != null) {
        columns.add(new Column(name, level, base, versions, ofRow));
      } else if (name.length == 0) {
        versions.forEach(ofRow::add);
      }
    }
    return columns;
  }

  private Verdict verdict(Column column, boolean late) {
    Cell seen = column.seen;
    // In the window kafka-ingest deletes the values of each histogram alone, rollup-job does not.
    if (column.stored || (late && column.takenBack)) {
      ofRun[column.name[0]]++;
    }
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

  /**
   * What queries read of an interval; null if that is not one value of each of the four.
   *
   * @param levels of which one value of each further aggregator is read
   */
  private RawRollups.@Nullable Rollup rollup(
      byte[] key, long time, List<Column> columns, Set<String> levels) {
    Map<Integer, Double> values = new TreeMap<>();
    for (Column column : columns) {
      Cell seen = column.seen;
      if (column.time != time || seen == null) {
        continue;
      }
      byte[] value = CellUtil.cloneValue(seen);
      if (isHistogram && column.own) {
        return RawRollups.Rollup.ofHistogram(key, time, interval.seconds(), value);
      }
      if (column.own && value.length == RollupCell.VALUE_LENGTH) {
        values.put((int) column.name[0], RollupCell.decode(column.name, 0, value, 0, value.length));
      } else if (column.level.equals(FOUR)) {
        return null;
      }
    }
    Map<String, Double> others = new TreeMap<>();
    further.forEach(
        (name, id) -> {
          if (levels.contains(name)) {
            others.put(name, values.getOrDefault(id, Double.NaN));
          }
        });
    Double sum = values.get(sumId);
    Double min = values.get(minId);
    Double max = values.get(maxId);
    Double count = values.get(countId);
    return sum == null || min == null || max == null || count == null
        ? null
        : new RawRollups.Rollup(key, time, interval.seconds(), sum, min, max, count, others, null);
  }

  private void foreign(String level, byte[] key, long time, boolean late) {
    TimeRanges times = TimeRanges.of(time * 1000, (time + interval.seconds()) * 1000);
    (late ? foreignBefore : foreign)
        .computeIfAbsent(level, of -> new TreeMap<>())
        .merge(rowKey.metricUid(key, 0), times, SeenRollups::both);
  }

  static TimeRanges both(TimeRanges one, TimeRanges other) {
    return other.size() == 1 && one.contains(other.from(0), other.to(0)) ? one : one.plus(other);
  }

  /**
   * Compares the rollups of later timestamps with raw points. Others than these make are not the
   * run's. Beside such a rollup the histogram is compared as well, whatever its timestamp: who has
   * stored the one may know nothing of the other.
   *
   * @param histograms table of the histograms of these rollups; null if the run has none
   * @throws IOException when HBase fails
   */
  void prove(RawRollups raw, @Nullable Table histograms) throws IOException {
    for (Newer each : newer) {
      RawRollups.Rollup rollup = each.rollup;
      Set<String> levels = new TreeSet<>(each.levels);
      if (histograms != null && levels.contains(FOUR)) {
        rollup = rollup.with(histogram(histograms, rollup));
        levels.add(Level.HISTOGRAM);
      }
      Set<String> wrong = raw.wrong(rollup);
      wrong.retainAll(levels);
      wrong.forEach(level -> foreign(level, each.rollup.key(), each.rollup.time(), each.late));
    }
    newer.clear();
  }

  /** What queries read of the histogram beside a rollup; empty if there is none. */
  private byte[] histogram(Table histograms, RawRollups.Rollup rollup) throws IOException {
    byte[] key = rollup.key().clone();
    long offset = rollup.time() % RowKey.ROW_SPAN_SECONDS;
    rowKey.writeBaseTime(key, rollup.time() - offset);
    byte[] column = HistogramColumn.of((int) offset);
    byte[] value = histograms.get(new Get(key).addColumn(FAMILY, column)).getValue(FAMILY, column);
    return value == null ? new byte[0] : value;
  }

  /** Adds what was seen of another part of the table. */
  void add(SeenRollups other) {
    other.foreign.forEach((level, metrics) -> add(level, metrics, foreign));
    other.foreignBefore.forEach((level, metrics) -> add(level, metrics, foreignBefore));
    Arrays.setAll(ofRun, id -> ofRun[id] + other.ofRun[id]);
  }

  private static void add(
      String level, Map<Long, TimeRanges> metrics, Map<String, Map<Long, TimeRanges>> to) {
    Map<Long, TimeRanges> all = to.computeIfAbsent(level, of -> new TreeMap<>());
    metrics.forEach((metric, times) -> all.merge(metric, times, SeenRollups::both));
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

  /** The level of a column; null if no query for an aggregator of the run reads it. */
  private @Nullable String levelOf(byte[] column) {
    if (isHistogram) {
      return HistogramColumn.is(column, 0, column.length) ? Level.HISTOGRAM : null;
    }
    if (column.length == RollupCell.QUALIFIER_LENGTH) {
      return column[0] >= 0 ? levelOf[column[0]] : null;
    }
    for (Map.Entry<String, byte[]> each : prefixes.entrySet()) {
      byte[] prefix = each.getValue();
      if (column.length == prefix.length + 2
          && Arrays.equals(column, 0, prefix.length, prefix, 0, prefix.length)) {
        return level(each.getKey());
      }
    }
    return null;
  }

  /** Whether the run writes columns of this form. */
  private boolean isOwn(byte[] column) {
    return column.length == RollupCell.QUALIFIER_LENGTH
        && RollupCell.valueLength(column, 0) == RollupCell.VALUE_LENGTH
        && RollupCell.isFloat(column, 0) != (column[0] == countId);
  }

  /**
   * Cells of the run that are in the table, seen or not, and those before its window that it has
   * taken back.
   *
   * @param level as of {@link #foreign}
   */
  long ofRun(String level) {
    return IntStream.range(0, ofRun.length)
        .filter(id -> level.equals(levelOf[id]))
        .mapToLong(id -> ofRun[id])
        .sum();
  }

  /**
   * The metrics, by UID, whose rollups in the window are not those of the run, and when.
   *
   * @param level name of a further aggregator, which is right only beside the four; {@link #FOUR}
   *     for these
   */
  Map<Long, TimeRanges> foreign(String level) {
    return ofLevel(level, foreign);
  }

  /** The same before the window. */
  Map<Long, TimeRanges> foreignBefore(String level) {
    return ofLevel(level, foreignBefore);
  }

  private static Map<Long, TimeRanges> ofLevel(
      String level, Map<String, Map<Long, TimeRanges>> of) {
    Map<Long, TimeRanges> all = new TreeMap<>(of.getOrDefault(FOUR, Map.of()));
    if (!level.equals(FOUR)) {
      of.getOrDefault(level, Map.of())
          .forEach((metric, times) -> all.merge(metric, times, SeenRollups::both));
    }
    return all;
  }
}
