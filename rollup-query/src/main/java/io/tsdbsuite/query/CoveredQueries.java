package io.tsdbsuite.query;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.query.coverage.CoverageScan;
import io.tsdbsuite.query.coverage.CoverageSource;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.read.RollupQueryRunner;
import io.tsdbsuite.query.run.QueryRunner;
import io.tsdbsuite.query.run.StockRunner;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.opentsdb.core.TSDB;
import org.jspecify.annotations.Nullable;

/** How this TSD runs queries: by the coverage of its rollup tables, which is read from now on. */
final class CoveredQueries {
  private static final long READ_EVERY_MILLIS = 10_000;

  private final QueryRunner runner;

  /** Null for a TSD without rollups. */
  private final @Nullable CoverageSource source;

  private CoveredQueries(QueryRunner runner, @Nullable CoverageSource source) {
    this.runner = runner;
    this.source = source;
  }

  /**
   * Starts to read the coverage. A TSD without rollups ({@code tsd.rollups.enable}) has none, and
   * runs queries as OpenTSDB does.
   *
   * @param table the coverage table
   * @throws IllegalArgumentException if tsd.rollups.config cannot be read
   */
  static CoveredQueries start(TSDB tsdb, String table) {
    if (!tsdb.getConfig().getBoolean("tsd.rollups.enable")) {
      return new CoveredQueries(new StockRunner(), null);
    }
    try {
      String file = tsdb.getConfig().getString("tsd.rollups.config");
      Map<String, String> tables = new HashMap<>();
      for (RollupInterval interval : new RollupTables(RollupConfig.load(file)).intervals()) {
        tables.put(interval.interval(), interval.table());
      }
      CoverageSource source = CoverageSource.of(new CoverageScan(tsdb.getClient(), table, tables));
      QueryRunner runner =
          RollupQueryRunner.of(
              tsdb,
              (interval, width, metric) -> source.current().proven(interval, width, metric),
              executor());
      source.start(READ_EVERY_MILLIS);
      return new CoveredQueries(runner, source);
    } catch (IOException e) {
      throw new IllegalArgumentException("rollup-query: tsd.rollups.config: " + e.getMessage(), e);
    }
  }

  /**
   * Decodes rows, beside the threads of HBase's client, which serve the whole TSD. A scan has one
   * batch of rows here at a time, so the queue is as long as scans run.
   */
  private static ThreadPoolExecutor executor() {
    int threads = Runtime.getRuntime().availableProcessors();
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "rollup-query-rows");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  QueryRunner runner() {
    return runner;
  }

  /** Ends the reading of the coverage. */
  void stop() {
    if (source != null) {
      source.stop();
    }
  }
}
