package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The ids of the aggregators of rollups, from the TSD's rollup configuration. */
public final class AggregatorIds {
  private AggregatorIds() {}

  /**
   * The ids of an interval by name: sum, min, max, count, and the further aggregators that {@code
   * suite} names for some metric. The option checks ensure that the configuration has them.
   *
   * @param interval as rollup_config.json writes it
   */
  public static Map<String, Integer> of(RollupConfig config, String interval) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(List.of("sum", "min", "max", "count"));
    names.addAll(config.suite().aggregators(interval));
    for (String aggregator : names) {
      ids.put(aggregator, Objects.requireNonNull(config.aggregatorId(aggregator), aggregator));
    }
    return ids;
  }
}
