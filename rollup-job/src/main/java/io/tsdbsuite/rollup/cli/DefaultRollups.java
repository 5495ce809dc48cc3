package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;

/**
 * The intervals of {@code --sink json} if the TSD has no rollup configuration. The tables are those
 * of docs/examples/rollup_config.json; this sink does not use them.
 */
final class DefaultRollups {
  static final RollupConfig CONFIG =
      RollupConfig.parse(
          "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
              + interval("tsdb", "1m", "1h", true)
              + ","
              + interval("tsdb-rollup-10m", "10m", "1d", false)
              + ","
              + interval("tsdb-rollup-1h", "1h", "1d", false)
              + ","
              + interval("tsdb-rollup-6h", "6h", "1n", false)
              + ","
              + interval("tsdb-rollup-1d", "1d", "1n", false)
              + "]}");

  static final String WARNING =
      "no rollup configuration is named: the output has the intervals of --interval, but a TSD"
          + " stores and queries rollups only with tsd.rollups.enable = true, tsd.rollups.config"
          + " (see docs/examples/rollup_config.json) and the tables that it names; --sink kafka and"
          + " hfile need it";

  private DefaultRollups() {}

  private static String interval(String table, String interval, String span, boolean isDefault) {
    return "{\"table\":\""
        + table
        + "\",\"preAggregationTable\":\""
        + table
        + "-agg\",\"interval\":\""
        + interval
        + "\",\"rowSpan\":\""
        + span
        + "\",\"defaultInterval\":"
        + isDefault
        + "}";
  }
}
