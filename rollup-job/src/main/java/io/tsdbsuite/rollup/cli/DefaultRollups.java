package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;

/**
 * The intervals of {@code --sink json} if the TSD has no rollup configuration. The tables are those
 * of docs/examples/rollup_config.json; this sink does not use them.
 */
final class DefaultRollups {
  static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4}, "intervals": [
          {"table": "tsdb", "preAggregationTable": "tsdb-agg",
            "interval": "1m", "rowSpan": "1h", "defaultInterval": true},
          {"table": "tsdb-rollup-10m", "preAggregationTable": "tsdb-rollup-10m-agg",
            "interval": "10m", "rowSpan": "1d", "defaultInterval": false},
          {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-1h-agg",
            "interval": "1h", "rowSpan": "1d", "defaultInterval": false},
          {"table": "tsdb-rollup-6h", "preAggregationTable": "tsdb-rollup-6h-agg",
            "interval": "6h", "rowSpan": "1n", "defaultInterval": false},
          {"table": "tsdb-rollup-1d", "preAggregationTable": "tsdb-rollup-1d-agg",
            "interval": "1d", "rowSpan": "1n", "defaultInterval": false}]}
          """);

  static final String WARNING =
      "no rollup configuration is named: the output has the intervals of --interval, but a TSD"
          + " stores and queries rollups only with tsd.rollups.enable = true, tsd.rollups.config"
          + " (see docs/examples/rollup_config.json) and the tables that it names; --sink kafka and"
          + " hfile need it";

  private DefaultRollups() {}
}
