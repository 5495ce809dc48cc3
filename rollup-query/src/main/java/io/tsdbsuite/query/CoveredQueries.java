package io.tsdbsuite.query;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.coverage.CoverageScan;
import io.tsdbsuite.query.coverage.CoverageSource;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.read.RollupQueryRunner;
import io.tsdbsuite.query.run.QueryRunner;
import io.tsdbsuite.query.run.QueryThreads;
import io.tsdbsuite.query.run.StockRunner;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import net.opentsdb.core.TSDB;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How this TSD runs queries: by the coverage of its rollup tables, which is read from now on. */
final class CoveredQueries {
  private static final Logger LOG = LoggerFactory.getLogger(CoveredQueries.class);

  private final QueryRunner runner;

  /** Null: OpenTSDB's own code runs all queries. */
  private final @Nullable CoverageSource source;

  private CoveredQueries(QueryRunner runner, @Nullable CoverageSource source) {
    this.runner = runner;
    this.source = source;
  }

  /**
   * Starts to read the coverage. A TSD without rollups ({@code tsd.rollups.enable}), or with a
   * rollup_config.json or a schema that the suite refuses, runs queries as OpenTSDB does; the log
   * says why.
   */
  static CoveredQueries start(TSDB tsdb, QueryConfig config, QueryThreads threads) {
    if (!tsdb.getConfig().getBoolean("tsd.rollups.enable")) {
      return new CoveredQueries(new StockRunner(), null);
    }
    String file = String.valueOf(tsdb.getConfig().getString("tsd.rollups.config"));
    try {
      RollupTables tables = new RollupTables(RollupConfig.load(file));
      Map<String, String> names = new HashMap<>();
      for (RollupInterval interval : tables.intervals()) {
        names.put(interval.interval(), interval.table());
      }
      CoverageSource source =
          CoverageSource.of(new CoverageScan(tsdb.getClient(), config.coverageTable(), names));
      QueryRunner runner =
          RollupQueryRunner.of(
              tsdb, tables, source::reading, CoverageSource::millis, threads, config.maxBatches());
      source.start(config.coverageMillis());
      return new CoveredQueries(runner, source);
    } catch (IOException | IllegalArgumentException e) {
      LOG.error(
          "rollup-query reads no rollups, OpenTSDB's own code runs all queries:"
              + " tsd.rollups.config: {}",
          e.getMessage());
      return new CoveredQueries(new StockRunner(), null);
    }
  }

  QueryRunner runner() {
    return runner;
  }

  /** Whether rollups are read inside the coverage. */
  boolean readsRollups() {
    return source != null;
  }

  /** Ends the reading of the coverage. */
  void stop() {
    if (source != null) {
      source.stop();
    }
  }
}
