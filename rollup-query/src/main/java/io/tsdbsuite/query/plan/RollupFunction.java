package io.tsdbsuite.query.plan;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A downsampling function whose value over a bucket follows exactly from the rollups of the parts
 * of the bucket. All other functions need the points.
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
  AVG("sum", "count");

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
        return null;
    }
  }
}
