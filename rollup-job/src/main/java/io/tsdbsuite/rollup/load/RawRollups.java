package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.AccessFailures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Compares rollups with the raw points of their series, as they are in HBase now, by the rules of a
 * repair: the rows of all salt buckets are merged as one row, and each bucket of time is summed up
 * from its points, left to right. For one thread.
 */
final class RawRollups {
  private static final byte[] FAMILY = RowKey.family();

  private static final long DAY = 86_400;

  private final Table data;
  private final RowKey rowKey;
  private final int buckets;
  private final long oldest;
  private final RowMerger merger;
  private final BucketHistogram histogram;
  private final HistogramCodecs codecs;
  private final RowHistograms cells = new RowHistograms();

  /** Whether a TSD reads the histograms of the merged row otherwise than they are. */
  private boolean cellsFail;

  private byte[] mergedKey = {};
  private PointBuffer merged = new PointBuffer();

  /**
   * A rollup as queries see it.
   *
   * @param key of its row
   * @param time start of its interval, seconds since the epoch
   * @param seconds of the interval
   * @param further values of further aggregators by name; NaN for one that is not there
   * @param histogram codec id and payload; empty if there is none, null if it is not looked at
   */
  record Rollup(
      byte[] key,
      long time,
      long seconds,
      double sum,
      double min,
      double max,
      double count,
      Map<String, Double> further,
      byte @Nullable [] histogram) {
    /** A histogram alone. */
    static Rollup ofHistogram(byte[] key, long time, long seconds, byte[] histogram) {
      double none = Double.NaN;
      return new Rollup(key, time, seconds, none, none, none, none, Map.of(), histogram);
    }

    /** The same with the histogram beside it. */
    Rollup with(byte[] beside) {
      return new Rollup(key, time, seconds, sum, min, max, count, further, beside);
    }
  }

  /**
   * @param data table of the raw points
   * @param codecs of histograms
   * @param oldest points of before this time may have expired, seconds since the epoch
   */
  RawRollups(Table data, StorageSchema schema, HistogramCodecs codecs, long oldest) {
    this.data = data;
    this.rowKey = new RowKey(schema);
    this.buckets = buckets(schema);
    this.oldest = oldest;
    this.merger = new RowMerger(schema);
    this.codecs = codecs;
    this.histogram = new BucketHistogram(codecs);
    if (!codecs.ids().isEmpty()) {
      merger.receive(cells);
    }
  }

  private static int buckets(StorageSchema schema) {
    return schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
  }

  /** How many rows a rollup is compared with, those included that do not exist. */
  static int rows(StorageSchema schema, long seconds) {
    return (int) Math.max(1, seconds / RowKey.ROW_SPAN_SECONDS) * buckets(schema);
  }

  /**
   * What of a rollup is not exactly what the raw points make, as {@code rollup-job verify}
   * compares. All, if there are none, some may have expired, or a TSD may read them otherwise:
   * corrupt rows, duplicates that no rule decides, NaN; or if the points must not be read.
   *
   * <p>A histogram is wrong too if its bucket has points and histograms: it shows these alone.
   *
   * @return names of further aggregators; {@link SeenRollups#FOUR} for sum, min, max and count;
   *     {@link Level#HISTOGRAM}
   * @throws IOException when HBase fails
   */
  Set<String> wrong(Rollup rollup) throws IOException {
    Set<String> wrong = new TreeSet<>(rollup.further().keySet());
    wrong.add(SeenRollups.FOUR);
    byte[] stored = rollup.histogram();
    if (stored != null) {
      wrong.add(Level.HISTOGRAM);
      histogram.clear();
    }
    boolean isMade = stored != null;
    PointSummary sums = new PointSummary();
    double[] values = {};
    long end = rollup.time() + rollup.seconds();
    long base = rollup.time() - rollup.time() % RowKey.ROW_SPAN_SECONDS;
    // Late points of days that have begun to expire have no masks.
    if (base - base % DAY < oldest) {
      return wrong;
    }
    int points = 0;
    for (; base < end; base += RowKey.ROW_SPAN_SECONDS) {
      if (!merge(rollup.key(), base)) {
        return wrong;
      }
      int from = first(Math.max(0, rollup.time() - base));
      int to = first(end - base);
      sums.addAll(merged, from, to);
      if (!rollup.further().isEmpty()) {
        values = Arrays.copyOf(values, points + to - from);
        System.arraycopy(merged.doubles(), from, values, points, to - from);
      }
      points += to - from;
      isMade = isMade && add(from, to, rollup.time() - base, end - base);
    }
    if (stored != null && isMade && sums.count() == points && isStored(stored)) {
      wrong.remove(Level.HISTOGRAM);
    }
    if (!sums.isFinite() || sums.count() != points) {
      return wrong;
    }
    if (sums.sum() == rollup.sum()
        && sums.min() == rollup.min()
        && sums.max() == rollup.max()
        && sums.count() == rollup.count()) {
      wrong.remove(SeenRollups.FOUR);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    for (Map.Entry<String, Double> each : rollup.further().entrySet()) {
      double made = further(each.getKey(), values, sorted);
      if (Double.isFinite(made) && made == each.getValue()) {
        wrong.remove(each.getKey());
      }
    }
    return wrong;
  }

  /** Adds an hour of the bucket to its histogram; false if it cannot be told. */
  private boolean add(int from, int to, long first, long end) {
    try {
      histogram.addPoints(merged.doubles(), from, to);
      for (int i = 0; i < cells.size(); i++) {
        int millis = cells.offsetMillis(i);
        if (millis >= first * 1000 && millis < end * 1000) {
          histogram.addCell(cells, i);
        }
      }
    } catch (HistogramException | IllegalArgumentException e) {
      return false;
    }
    return !cellsFail;
  }

  private boolean isStored(byte[] stored) {
    byte[] made = histogram.isEmpty() || histogram.isMixed() ? null : histogram.bytes();
    Integer id = codecs.id(histogram.codec());
    return made != null
        && id != null
        && stored.length == 1 + made.length
        && stored[0] == id.byteValue()
        && Arrays.equals(stored, 1, stored.length, made, 0, made.length);
  }

  /** The value of a further aggregator of at least one value. */
  private static double further(String name, double[] values, double[] sorted) {
    return switch (name) {
      case "first" -> values[0];
      case "last" -> values[values.length - 1];
      default -> Percentiles.of(sorted, 0, sorted.length, Percentiles.rank(name));
    };
  }

  private void add(Cell cell) throws CorruptCellException {
    try {
      merger.add(
          cell.getQualifierArray(),
          cell.getQualifierOffset(),
          cell.getQualifierLength(),
          cell.getValueArray(),
          cell.getValueOffset(),
          cell.getValueLength(),
          cell.getTimestamp());
    } catch (CorruptCellException e) {
      if (!HistogramColumn.is(
          cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())) {
        throw e;
      }
      cellsFail = true;
    }
  }

  private void sort() {
    try {
      cells.sort();
    } catch (CorruptCellException e) {
      cellsFail = true;
    }
  }

  /** The first point at an offset in the row, seconds, or after it. */
  private int first(long offset) {
    int i = 0;
    while (i < merged.size() && merged.offsetMillis(i) < offset * 1000) {
      i++;
    }
    return i;
  }

  /** Reads an hour of a series; false if it is not sure what a TSD reads. */
  private boolean merge(byte[] series, long base) throws IOException {
    byte[] key = series.clone();
    rowKey.writeBaseTime(key, base);
    if (Arrays.equals(key, mergedKey)) {
      return true;
    }
    List<Get> gets = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] row = key.clone();
      byte[] salt = rowKey.bucket(bucket);
      System.arraycopy(salt, 0, row, 0, salt.length);
      gets.add(new Get(row).addFamily(FAMILY));
    }
    mergedKey = new byte[0];
    merger.reset();
    cellsFail = false;
    try {
      for (Result row : data.get(gets)) {
        for (Cell cell : row.isEmpty() ? new Cell[0] : row.rawCells()) {
          add(cell);
        }
      }
      merged = merger.merge();
      sort();
    } catch (RowException e) {
      return false;
    } catch (IOException e) {
      if (AccessFailures.reason(e) == null) {
        throw e;
      }
      return false;
    }
    if (merger.ambiguousDuplicates() > 0) {
      return false;
    }
    mergedKey = key;
    return true;
  }
}
