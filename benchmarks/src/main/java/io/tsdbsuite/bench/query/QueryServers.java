package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bench.query.QueryCase.Times;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One HBase, and a TSD for each way over the same tables: each way has a JVM whose compiler
 * profiles only its code.
 */
final class QueryServers implements AutoCloseable {
  private static final String WORK = "bench-query";

  private static final String COVERAGE = "tsdb-coverage";

  /**
   * The example's intervals, and days; its delaySla is for split queries alone. Stock TSDs read the
   * sketches of days from the preAggregationTable of the default interval.
   */
  private static final String ROLLUPS =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 7, "p75": 8, "p90": 9,
         "p95": 10, "p99": 11, "p999": 12},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb-preagg", "interval": "1m",
         "rowSpan": "1h", "defaultInterval": true},
        {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-agg-1h",
         "interval": "1h", "rowSpan": "1d", "delaySla": "3d"},
        {"table": "tsdb-rollup-6h", "preAggregationTable": "tsdb-rollup-agg-6h",
         "interval": "6h", "rowSpan": "1n", "delaySla": "3d"},
        {"table": "tsdb-rollup-1d", "preAggregationTable": "tsdb-rollup-agg-1d",
         "interval": "1d", "rowSpan": "1y", "delaySla": "3d"}],
       "suite": {
        "values": [
         {"metrics": "bench.few07", "intervals": "1h,1d", "aggregators": "p50,p95,p99"},
         {"metrics": "bench.few10", "intervals": "1h,1d",
          "aggregators": "p50,p75,p90,p95,p99,p999"}],
        "histograms": [{"metrics": "bench.few07", "intervals": "1d"}],
        "histogramTables": {"1d": "tsdb-preagg"},
        "packed": {"1h": "tsdb-packed-1h", "1d": "tsdb-packed-1d"}}}
      """;

  /** HBase's default, see bench.ingest. */
  private static final Map<String, String> HBASE = Map.of("hbase.regionserver.msginterval", "3000");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OpenTsdbTables tables;
  private final Stack stack;
  private final QueryWay plugin;
  private final QueryWay raw;
  private final List<QueryWay> ways;

  /**
   * Starts all servers.
   *
   * @param jar rollup-query's
   * @param maxCells what a query of rollup-query may read
   */
  QueryServers(Path jar, long maxCells) throws IOException {
    Map<String, String> rollups =
        Map.of(
            "tsd.rollups.enable",
            "true",
            "tsd.rollups.config",
            ROLLUPS.replaceAll("\\s+", ""),
            StorageSchema.HISTOGRAMS_CONFIG,
            TsdServer.SKETCH_CONFIG);
    Map<String, String> split = new HashMap<>(rollups);
    split.put("tsd.rollups.split_query.enable", "true");
    Map<String, String> query = new HashMap<>(rollups);
    query.put("tsd.http.rpc.plugins", "io.tsdbsuite.query.RollupQueryHttpPlugin");
    query.put("tsd.rollup_query.max_cells_per_query", Long.toString(maxCells));
    tables = OpenTsdbTables.of(rollups).coverage(COVERAGE);
    stack = Stack.in(WorkDirs.fresh(WORK)).tables(tables).hbase(HBASE).start();
    List<Path> codec = TsdServer.sketchCodec();
    List<Path> both = new ArrayList<>(codec);
    both.add(jar);
    plugin = way(QueryWay.PLUGIN, "plugin/rollup-query/api/query", query, both);
    raw = way(QueryWay.RAW, "api/query", Map.of(), List.of());
    ways =
        List.of(
            way(QueryWay.STOCK, "api/query", rollups, codec),
            way(QueryWay.SPLIT, "api/query", split, codec),
            plugin,
            raw);
  }

  private QueryWay way(String name, String path, Map<String, String> conf, List<Path> classPath) {
    return new QueryWay(name, stack.startTsd(name.replace(' ', '-'), conf, classPath), path);
  }

  /**
   * Writes the data, and waits until rollup-query has read the coverage.
   *
   * @param many series of {@link QueryCase#MANY}; 0: none
   */
  void load(Times times, int few, int many, boolean percentiles, boolean packed)
      throws IOException, InterruptedException {
    RollupConfig config = RollupConfig.parse(ROLLUPS);
    List<String> metrics = new ArrayList<>(List.of(QueryCase.FEW, QueryCase.MANY));
    metrics.addAll(QueryCase.FURTHER.keySet());
    metrics.add(QueryCase.PACKED);
    JsonNode uids = QueryData.assign(raw.tsd().client(), metrics, Math.max(few, many));
    List<CoverageWindow> windows = new ArrayList<>();
    List<String> ofRawData =
        many == 0 ? List.of(QueryCase.FEW) : List.of(QueryCase.FEW, QueryCase.MANY);
    for (String metric : ofRawData) {
      boolean isFew = metric.equals(QueryCase.FEW);
      QueryData data =
          new QueryData(stack.hbase().connection(), config, uids, metric, isFew ? few : many);
      long detailed = isFew ? times.year() : times.month();
      data.writeRaw(detailed, times.now());
      data.writeRollups("1h", detailed, times.midnight());
      data.writeRollups("6h", times.year(), times.midnight());
      data.writeRollups("1d", times.year(), times.midnight());
      windows.addAll(data.windows());
    }
    if (percentiles) {
      for (Map.Entry<String, List<String>> metric : QueryCase.FURTHER.entrySet()) {
        QueryData data =
            new QueryData(stack.hbase().connection(), config, uids, metric.getKey(), few);
        data.writeRaw(times.month(), times.now());
        data.writeRollups("1h", times.year(), times.midnight(), metric.getValue());
        data.writeRollups("1d", times.year(), times.midnight(), metric.getValue());
        if (metric.getKey().equals(QueryCase.SKETCHES)) {
          HistogramCodecs codecs = HistogramCodecs.load(TsdServer.SKETCH_CONFIG);
          int id = Objects.requireNonNull(codecs.id(HistogramCodecs.SKETCH));
          data.writeSketches("1d", times.year(), times.midnight(), id);
        }
        windows.addAll(data.windows());
      }
    }
    if (packed) {
      QueryData data =
          new QueryData(stack.hbase().connection(), config, uids, QueryCase.PACKED, few);
      for (String interval : List.of("1h", "1d")) {
        data.writeRollups(interval, times.year(), times.midnight());
        data.writePacked(interval, times.year(), times.midnight());
      }
      windows.addAll(data.windows());
    }
    for (String table : tables.names()) {
      stack.hbase().majorCompact(table);
    }
    try (CoverageTable coverage = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      boolean unused = coverage.upgrade(CoverageRows.LEVEL_VERSION);
      Map<String, String> marks = new HashMap<>();
      for (CoverageWindow window : windows) {
        marks.put(window.table(), coverage.mark(window.table()));
      }
      coverage.add(windows, marks, System.currentTimeMillis());
    } catch (CoverageRefusedException e) {
      throw new IllegalStateException(e);
    }
    String day =
        new QueryCase(
                "", QueryCase.FEW, "sum:1d-sum", "", times.midnight() - Times.DAY, times.midnight())
            .request(QueryWay.PLUGIN);
    Await.until(
        "the coverage to be read", PATIENCE, () -> plugin.ask(day).read().startsWith("1d:1"));
  }

  /** Cells that the plugin reads for a query, by its statistic; nothing else may ask it. */
  long cells(QueryCase query) throws IOException, InterruptedException {
    long before = cells();
    plugin.ask(query.request(QueryWay.PLUGIN));
    return cells() - before;
  }

  private long cells() {
    Await.until("queries to end", PATIENCE, () -> statistic("running") == 0);
    return statistic("cells");
  }

  private long statistic(String name) {
    String key = "tsd.rollup_query." + name + " plugin=httprpc";
    return Long.parseLong(Objects.requireNonNull(plugin.tsd().client().stats().get(key), key));
  }

  /** In the order of {@link QueryWay#NAMES}. */
  List<QueryWay> ways() {
    return ways;
  }

  QueryWay plugin() {
    return plugin;
  }

  @Override
  public void close() {
    stack.close();
    WorkDirs.fresh(WORK);
  }
}
