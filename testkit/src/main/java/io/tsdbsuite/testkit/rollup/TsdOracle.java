package io.tsdbsuite.testkit.rollup;

import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The test oracle: a TSD's answers from raw data for {@code none:<interval>-sum|min|max|count},
 * which the rollups must equal.
 */
public final class TsdOracle {
  private static final int MILLIS = 1000;

  private final TsdClient tsd;
  private final String usage;

  /**
   * An oracle that reads raw data.
   *
   * @param tsd a TSD that does not compact and reads no rollups
   */
  public TsdOracle(TsdClient tsd) {
    this(tsd, "ROLLUP_RAW");
  }

  private TsdOracle(TsdClient tsd, String usage) {
    this.tsd = tsd;
    this.usage = usage;
  }

  /**
   * An oracle that reads only rollup tables.
   *
   * @param tsd a TSD with this interval
   * @return the oracle
   */
  public static TsdOracle ofStoredRollups(TsdClient tsd) {
    return new TsdOracle(tsd, "ROLLUP_NOFALLBACK");
  }

  /**
   * The TSD's rollups of a metric.
   *
   * @param metric the metric
   * @param from first hour, seconds since the epoch, inclusive
   * @param to last hour, exclusive
   * @param interval for example {@code 1h}
   * @return for each series and interval with points its values
   * @throws IllegalStateException when the four answers differ in series or intervals
   */
  public SortedMap<RollupKey, RollupValues> rollups(
      String metric, long from, long to, String interval) {
    Map<RollupKey, Double> sum = ask(metric, from, to, interval + "-sum");
    Map<RollupKey, Double> min = ask(metric, from, to, interval + "-min");
    Map<RollupKey, Double> max = ask(metric, from, to, interval + "-max");
    Map<RollupKey, Double> count = ask(metric, from, to, interval + "-count");
    Set<RollupKey> keys = new TreeSet<>(sum.keySet());
    keys.addAll(min.keySet());
    keys.addAll(max.keySet());
    keys.addAll(count.keySet());
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    for (RollupKey key : keys) {
      Double keySum = sum.get(key);
      Double keyMin = min.get(key);
      Double keyMax = max.get(key);
      Double keyCount = count.get(key);
      if (keySum == null || keyMin == null || keyMax == null || keyCount == null) {
        throw new IllegalStateException(
            "the TSD's answers for " + metric + " differ in their series or intervals");
      }
      all.put(key, new RollupValues(keySum, keyMin, keyMax, keyCount.longValue()));
    }
    return all;
  }

  /**
   * The TSD's answers with one aggregator.
   *
   * @param metric the metric
   * @param from first hour, seconds since the epoch, inclusive
   * @param to last hour, exclusive
   * @param interval for example {@code 1h}
   * @param aggregator for example {@code p99}
   * @return for each series and interval with points its value; empty if there is none
   */
  public Map<RollupKey, Double> values(
      String metric, long from, long to, String interval, String aggregator) {
    return ask(metric, from, to, interval + "-" + aggregator);
  }

  private Map<RollupKey, Double> ask(String metric, long from, long to, String downsample) {
    // The TSD adds a second to the end, so to - 1 would read the next hour's rows.
    QuerySpec query =
        new QuerySpec(
            metric, from, to - 2, "none", Optional.of(downsample), Map.of(), Optional.of(usage));
    Map<RollupKey, Double> answers = new HashMap<>();
    for (Series series : tsd.query(query)) {
      SortedMap<String, String> tags = new TreeMap<>(series.tags());
      series
          .points()
          .forEach(
              (millis, value) -> {
                RollupKey key = new RollupKey(series.metric(), tags, millis / MILLIS);
                if (answers.put(key, value) != null) {
                  throw new IllegalStateException("the TSD answers twice for " + key);
                }
              });
    }
    return answers;
  }
}
