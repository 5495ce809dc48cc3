package io.tsdbsuite.query.plan;

import io.tsdbsuite.format.rollup.Level;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A downsampling function whose value over a bucket follows exactly from the rollups of the parts
 * of the bucket, or, of a percentile, from the rollup that is the bucket. All other functions need
 * the points. Queries for percentiles of histograms have no function of this name, but the
 * histogram of a bucket follows from those of its parts, too.
 */
public enum RollupFunction {
  /** The sum of the sums: sum, zimsum and pfsum, which differ between series only. */
  SUM("sum"),
  /** The smallest of the minima: min and mimmin. */
  MIN("min"),
  /** The largest of the maxima: max and mimmax. */
  MAX("max"),
  /** The sum of the counts. */
  COUNT("count"),
  /** The sum of the sums, divided by the sum of the counts. */
  AVG("sum", "count"),
  /** The median of a whole interval, as OpenTSDB estimates it. */
  P50("p50"),
  /** Its 75th percentile. */
  P75("p75"),
  /** Its 90th percentile. */
  P90("p90"),
  /** Its 95th percentile. */
  P95("p95"),
  /** Its 99th percentile. */
  P99("p99"),
  /** Its 99.9th percentile. */
  P999("p999"),
  /** The first of the first values. */
  FIRST("first"),
  /** The last of the last values. */
  LAST("last"),
  /** The sum of the histograms. */
  HISTOGRAM(Level.HISTOGRAM);

  private final String first;
  private final String second;

  RollupFunction(String aggregator) {
    this(aggregator, "");
  }

  RollupFunction(String first, String second) {
    this.first = first;
    this.second = second;
  }

  /** The aggregators whose cells are read: one, or sum and count. */
  public List<String> aggregators() {
    return second.isEmpty() ? Collections.singletonList(first) : Arrays.asList(first, second);
  }

  /**
   * The name of the level of which it reads rollups, for example {@code p99} of {@code 1h.p99};
   * empty: those of sum, min, max and count.
   */
  public String level() {
    return compareTo(P50) < 0 ? "" : first;
  }

  /** Whether it is a percentile: its rollup answers only a bucket of exactly its interval. */
  public boolean isPercentile() {
    return compareTo(P50) >= 0 && compareTo(P999) <= 0;
  }

  /** Whether the values are histograms. */
  public boolean isHistogram() {
    return this == HISTOGRAM;
  }

  /** The function that OpenTSDB calls by this name; null if rollups cannot answer it exactly. */
  public static @Nullable RollupFunction of(String name) {
    switch (name) {
      case "sum":
      case "zimsum":
      case "pfsum":
        return SUM;
      case "min":
      case "mimmin":
        return MIN;
      case "max":
      case "mimmax":
        return MAX;
      case "count":
        return COUNT;
      case "avg":
        return AVG;
      default:
        for (RollupFunction function : values()) {
          if (!function.level().isEmpty()
              && function.level().equals(name)
              && !function.isHistogram()) {
            return function;
          }
        }
        return null;
    }
  }
}
