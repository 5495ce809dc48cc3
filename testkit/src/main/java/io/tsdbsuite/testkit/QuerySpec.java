package io.tsdbsuite.testkit;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One query with one sub-query. {@link #of} sets aggregator none, which returns each series
 * separately, without interpolation.
 *
 * @param metric the metric
 * @param start first instant, seconds or milliseconds since the epoch; whole hours for buckets of
 *     an hour
 * @param end last instant; the TSD adds a second, so two seconds before the next hour reads no row
 *     of that hour
 * @param aggregator none unless set
 * @param downsample for example {@code 1h-sum}; empty for no downsampling
 * @param tags literal filters: tag key to value, or values separated by {@code |}
 * @param rollupUsage for example {@code ROLLUP_RAW}; empty for the TSD's default
 */
public record QuerySpec(
    String metric,
    long start,
    long end,
    String aggregator,
    Optional<String> downsample,
    Map<String, String> tags,
    Optional<String> rollupUsage) {
  /**
   * Every point of every series of a metric.
   *
   * @param metric the metric
   * @param start first instant, seconds or milliseconds since the epoch
   * @param end last instant
   * @return the query
   */
  public static QuerySpec of(String metric, long start, long end) {
    return new QuerySpec(metric, start, end, "none", Optional.empty(), Map.of(), Optional.empty());
  }

  /**
   * Sets the downsampler.
   *
   * @param interval for example {@code 1h-sum}
   * @return the changed copy
   */
  public QuerySpec downsample(String interval) {
    return new QuerySpec(metric, start, end, aggregator, Optional.of(interval), tags, rollupUsage);
  }

  /**
   * Sets the aggregator.
   *
   * @param name for example {@code sum}
   * @return the changed copy
   */
  public QuerySpec aggregator(String name) {
    return new QuerySpec(metric, start, end, name, downsample, tags, rollupUsage);
  }

  /**
   * Adds a literal tag filter.
   *
   * @param key the tag key
   * @param value the tag value, or several separated by {@code |}
   * @return the changed copy
   */
  public QuerySpec tag(String key, String value) {
    Map<String, String> more = new TreeMap<>(tags);
    more.put(key, value);
    return new QuerySpec(metric, start, end, aggregator, downsample, more, rollupUsage);
  }

  /**
   * Chooses between raw data and rollups.
   *
   * @param usage ROLLUP_RAW, ROLLUP_NOFALLBACK, ROLLUP_FALLBACK or ROLLUP_FALLBACK_RAW
   * @return the changed copy
   */
  public QuerySpec rollupUsage(String usage) {
    return new QuerySpec(metric, start, end, aggregator, downsample, tags, Optional.of(usage));
  }
}
