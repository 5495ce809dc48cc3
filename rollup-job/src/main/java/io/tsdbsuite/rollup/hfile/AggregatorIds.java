package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The ids of the aggregators of rollups, from the TSD's rollup configuration. */
public final class AggregatorIds {
  private AggregatorIds() {}

  /**
   * The ids by name: sum, min, max, count. The option checks ensure that the configuration has
   * them.
   */
  public static Map<String, Integer> of(RollupConfig config) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (String aggregator : new String[] {"sum", "min", "max", "count"}) {
      ids.put(aggregator, Objects.requireNonNull(config.aggregatorId(aggregator), aggregator));
    }
    return ids;
  }
}
