package io.tsdbsuite.stream.it;

import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** HBase, a TSD and Kafka for every integration test of the module; they die with the JVM. */
final class StreamStack {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  static final String ROLLUP_CONFIG =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb-preagg", "interval": "1m",
         "rowSpan": "1h", "defaultInterval": true},
        {"table": "tsdb-rollup-10m", "preAggregationTable": "tsdb-rollup-agg-10m",
         "interval": "10m", "rowSpan": "1d"},
        {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-agg-1h",
         "interval": "1h", "rowSpan": "1d"},
        {"table": "tsdb-rollup-6h", "preAggregationTable": "tsdb-rollup-agg-6h",
         "interval": "6h", "rowSpan": "1n"},
        {"table": "tsdb-rollup-1d", "preAggregationTable": "tsdb-rollup-agg-1d",
         "interval": "1d", "rowSpan": "1y"}]}
      """;

  /** With p99 and last in rollups of 1h, a sketch in those of 1h and 1d, but not of tick. */
  static final String SUITE_CONFIG =
      ROLLUP_CONFIG.replace(
          "\"max\": 4},",
          """
          "max": 4, "p99": 11, "last": 14},
          "suite": {
           "values": [{"metrics": "*,!tick", "intervals": "1h", "aggregators": "p99,last"}],
           "histograms": [{"metrics": "*,!tick", "intervals": "1h,1d"}],
           "histogramTables": {"1h": "tsdb-histogram-1h", "1d": "tsdb-histogram-1d"}},
          """);

  private StreamStack() {}

  private static final class Holder {
    private static final Stack STACK = start();

    private static Stack start() {
      try {
        return Stack.in(directory("stack"))
            .tables(OpenTsdbTables.of(conf()))
            .tsd(conf())
            // The messages have the times of their points, which are long ago.
            .kafka(Map.of("log.retention.ms", "-1"))
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static Stack get() {
    return Holder.STACK;
  }

  static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    return Files.createTempDirectory(parent, name + "-");
  }

  /** The TSD answers for rewritten points, as the rules demand. */
  static Map<String, String> conf() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", ROLLUP_CONFIG.replace("\n", ""));
    conf.put("tsd.storage.fix_duplicates", "true");
    return conf;
  }
}
