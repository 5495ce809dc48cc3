package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The aggregator numbers of a TSD's rollup configuration, 0..127.
 *
 * @param sum of the sums
 * @param min of the minima
 * @param max of the maxima
 * @param count of the counts
 */
public record AggregatorIds(int sum, int min, int max, int count) implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the numbers from a configuration with all four aggregators; the option checks ensure
   * that.
   */
  public static AggregatorIds of(RollupConfig config) {
    return new AggregatorIds(
        id(config, "sum"), id(config, "min"), id(config, "max"), id(config, "count"));
  }

  private static int id(RollupConfig config, String aggregator) {
    return Objects.requireNonNull(config.aggregatorId(aggregator), aggregator);
  }

  /** The numbers by aggregator name. */
  public Map<String, Integer> byName() {
    Map<String, Integer> ids = new LinkedHashMap<>();
    ids.put("sum", sum);
    ids.put("min", min);
    ids.put("max", max);
    ids.put("count", count);
    return ids;
  }
}
