package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One HBase, and a TSD for each way over the same tables: each way has a JVM whose compiler
 * profiles only its code.
 */
final class QueryServers implements AutoCloseable {
  static final String FEW = "bench.few";
  static final String MANY = "bench.many";

  private static final String COVERAGE = "tsdb-coverage";

  /** The example's intervals, and days; its delaySla is for split queries alone. */
  private static final String ROLLUPS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + interval("1h", "1d")
          + ","
          + interval("6h", "1n")
          + ","
          + interval("1d", "1y")
          + "]}";

  /** HBase's default, see bench.ingest. */
  private static final Map<String, String> HBASE = Map.of("hbase.regionserver.msginterval", "3000");

  private static final Map<String, String> SPLIT = Map.of("tsd.rollups.split_query.enable", "true");

  /** The largest query that is measured has 2.9 million cells, the heavy one 8.8. */
  private static final Map<String, String> PLUGIN =
      Map.of(
          "tsd.http.rpc.plugins",
          "io.tsdbsuite.query.RollupQueryHttpPlugin",
          "tsd.rollup_query.max_cells_per_query",
          "4000000");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OpenTsdbTables tables;
  private final Stack stack;
  private final Way plugin;
  private final Way raw;
  private final List<Way> ways;

  private static String interval(String interval, String rowSpan) {
    return String.format(
        "{\"table\":\"tsdb-rollup-%1$s\",\"preAggregationTable\":\"tsdb-rollup-agg-%1$s\","
            + "\"interval\":\"%1$s\",\"rowSpan\":\"%2$s\",\"delaySla\":\"3d\"}",
        interval, rowSpan);
  }

  /**
   * Starts all servers.
   *
   * @param jar rollup-query's
   */
  QueryServers(Path jar) throws IOException {
    Map<String, String> rollups =
        Map.of("tsd.rollups.enable", "true", "tsd.rollups.config", ROLLUPS);
    tables = OpenTsdbTables.of(rollups).coverage(COVERAGE);
    stack = Stack.in(WorkDirs.fresh("bench-query")).tables(tables).hbase(HBASE).start();
    plugin = way(Way.PLUGIN, "plugin/rollup-query/api/query", rollups, List.of(jar), PLUGIN);
    raw = way(Way.RAW, "api/query", Map.of(), List.of(), Map.of());
    ways =
        List.of(
            way(Way.STOCK, "api/query", rollups, List.of(), Map.of()),
            way(Way.SPLIT, "api/query", rollups, List.of(), SPLIT),
            plugin,
            raw);
  }

  private Way way(
      String name,
      String path,
      Map<String, String> rollups,
      List<Path> classPath,
      Map<String, String> more) {
    Map<String, String> conf = new TreeMap<>(rollups);
    conf.putAll(more);
    return new Way(name, stack.startTsd(name.replace(' ', '-'), conf, classPath), path);
  }

  /** Writes the data, and waits until rollup-query has read the coverage. */
  void load(Times times, int few, int many) throws IOException, InterruptedException {
    RollupConfig config = RollupConfig.parse(ROLLUPS);
    JsonNode uids = QueryData.assign(raw.tsd().client(), List.of(FEW, MANY), Math.max(few, many));
    List<CoverageWindow> windows = new ArrayList<>();
    for (String metric : List.of(FEW, MANY)) {
      boolean isFew = metric.equals(FEW);
      QueryData data =
          new QueryData(stack.hbase().connection(), config, uids, metric, isFew ? few : many);
      long detailed = isFew ? times.year() : times.month();
      data.writeRaw(detailed, times.now());
      data.writeRollups("1h", detailed, times.midnight());
      data.writeRollups("6h", times.year(), times.midnight());
      data.writeRollups("1d", times.year(), times.midnight());
      windows.addAll(data.windows());
    }
    for (String table : tables.names()) {
      stack.hbase().majorCompact(table);
    }
    try (CoverageTable coverage = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      Map<String, String> marks = new HashMap<>();
      for (CoverageWindow window : windows) {
        marks.put(window.table(), coverage.mark(window.table()));
      }
      coverage.add(windows, marks, System.currentTimeMillis());
    } catch (CoverageRefusedException e) {
      throw new IllegalStateException(e);
    }
    String day =
        new QueryCase("", MANY, "sum:1d-sum", "", times.midnight() - Times.DAY, times.midnight())
            .uri();
    Await.until(
        "the coverage to be read", PATIENCE, () -> plugin.ask(day).read().startsWith("1d:1"));
  }

  /** In the order of {@link Way#NAMES}. */
  List<Way> ways() {
    return ways;
  }

  Way plugin() {
    return plugin;
  }

  long hbasePid() {
    return stack.hbase().pid();
  }

  @Override
  public void close() {
    stack.close();
  }
}
