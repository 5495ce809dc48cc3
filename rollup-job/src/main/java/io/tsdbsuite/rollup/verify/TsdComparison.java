package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.job.JobException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares rollups computed from raw data with the answers of a TSD, series by series. For one
 * thread; holds the rollups of one series in memory.
 */
public final class TsdComparison {
  private final TsdRollups tsd;
  private final Aggregators aggregators;
  private final List<String> intervals;
  private final SeriesText names;
  private final Comparison comparison;
  private final VerifyBooks books;
  private final SortedMap<byte[], byte[]> computed = new TreeMap<>(Arrays::compareUnsigned);

  /** See {@link Comparison}. */
  public TsdComparison(
      TsdRollups tsd,
      Aggregators aggregators,
      List<String> intervals,
      SeriesText names,
      VerifyBooks books,
      List<CoverageFloor> floors) {
    this.tsd = tsd;
    this.aggregators = aggregators;
    this.intervals = intervals;
    this.names = names;
    this.comparison = new Comparison(aggregators, intervals, names, books, floors, null);
    this.books = books;
  }

  /**
   * Adds the next rollup computed from raw data.
   *
   * @param key not less than the previous key
   * @throws JobException as {@link TsdRollups#ask}
   */
  public void add(byte[] key, byte[] value) {
    if (!computed.isEmpty() && !VerifyRecord.sameSeries(computed.firstKey(), key)) {
      finish();
    }
    computed.put(key, value);
  }

  /**
   * Ends the comparison of the last series.
   *
   * @throws JobException as {@link TsdRollups#ask}
   */
  public void finish() {
    if (computed.isEmpty()) {
      return;
    }
    SortedMap<byte[], byte[]> stored = stored(VerifyRecord.tsuid(computed.firstKey()));
    SortedMap<byte[], byte[]> keys = new TreeMap<>(computed);
    keys.putAll(stored);
    for (byte[] key : keys.keySet()) {
      if (computed.containsKey(key)) {
        comparison.add(key, computed.get(key));
      }
      if (stored.containsKey(key)) {
        comparison.add(key, stored.get(key));
      }
    }
    comparison.finish();
    computed.clear();
  }

  private SortedMap<byte[], byte[]> stored(byte[] tsuid) {
    SortedMap<byte[], byte[]> stored = new TreeMap<>(Arrays::compareUnsigned);
    String metric = names.metric(tsuid);
    Map<String, String> tags = names.tags(tsuid);
    if (metric == null || tags == null) {
      throw JobException.badInput(
          "a UID of the series with the TSUID "
              + HexFormat.of().formatHex(tsuid)
              + " has no name of its own in the UID table, so that no TSD can be asked for it");
    }
    for (int interval = 0; interval < intervals.size(); interval++) {
      SortedMap<Long, double[]> values = new TreeMap<>();
      int wanted = aggregators.ofMetric(metric, intervals.get(interval));
      for (int i = 0; i < aggregators.size(); i++) {
        if ((wanted >> i & 1) != 0) {
          int place = i;
          tsd.ask(metric, tags, intervals.get(interval), aggregators.names().get(i))
              .forEach((time, value) -> row(values, time)[place] = value);
          books.queries(1);
        }
      }
      for (Map.Entry<Long, double[]> row : values.entrySet()) {
        stored.put(
            VerifyRecord.key(tsuid, interval, row.getKey()),
            VerifyRecord.stored(
                present(row.getValue()), false, row.getValue(), 0, aggregators.size()));
      }
    }
    return stored;
  }

  /** NaN stands for a missing value, because no TSD stores NaN. */
  private double[] row(SortedMap<Long, double[]> values, long time) {
    return values.computeIfAbsent(
        time,
        key -> {
          double[] row = new double[aggregators.size()];
          Arrays.fill(row, Double.NaN);
          return row;
        });
  }

  private static int present(double[] row) {
    int present = 0;
    for (int i = 0; i < row.length; i++) {
      present |= Double.isNaN(row[i]) ? 0 : 1 << i;
    }
    return present;
  }
}
