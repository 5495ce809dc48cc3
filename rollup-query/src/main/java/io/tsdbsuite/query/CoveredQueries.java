package io.tsdbsuite.query;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.coverage.CoverageScan;
import io.tsdbsuite.query.coverage.CoverageSource;
import io.tsdbsuite.query.http.OpenTsdbNames;
import io.tsdbsuite.query.http.QueryCounts;
import io.tsdbsuite.query.page.Page;
import io.tsdbsuite.query.page.QueryExplainer;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.read.RollupQueryRunner;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import io.tsdbsuite.query.run.QueryRunner;
import io.tsdbsuite.query.run.QueryThreads;
import io.tsdbsuite.query.run.StockRunner;
import io.tsdbsuite.query.shadow.ShadowBucket;
import io.tsdbsuite.query.shadow.ShadowCheck;
import io.tsdbsuite.query.shadow.ShadowResult;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How this TSD runs queries: by the coverage of its rollup tables, which is read from now on. */
final class CoveredQueries {
  private static final Logger LOG = LoggerFactory.getLogger(CoveredQueries.class);

  private static final long MAX_READING_MILLIS = 30_000;

  private final QueryRunner runner;

  /** What only a TSD that reads rollups has. */
  private final @Nullable Covered covered;

  private final CoverageSource source;
  private final String reason;

  private CoveredQueries(
      QueryRunner runner, @Nullable Covered covered, CoverageSource source, String reason) {
    this.runner = runner;
    this.covered = covered;
    this.source = source;
    this.reason = reason;
  }

  /** OpenTSDB's own code runs all queries, though the TSD has rollups. */
  private static CoveredQueries refused(TSDB tsdb, QueryConfig config, String reason) {
    LOG.error("rollup-query reads no rollups, OpenTSDB's own code runs all queries: {}", reason);
    return stock(tsdb, config, reason);
  }

  /** OpenTSDB's own code runs the queries that the floors allow. */
  private static CoveredQueries stock(TSDB tsdb, QueryConfig config, String reason) {
    CoverageSource source =
        CoverageSource.of(
            new CoverageScan(tsdb.getClient(), config.coverageTable(), Collections.emptyMap()));
    source.start(config.coverageMillis());
    return new CoveredQueries(new StockRunner(source), null, source, reason);
  }

  /** The coverage of a TSD with rollups, and the checks of what it claims. */
  static final class Covered implements Page.Sources {
    private final RollupQueryRunner runner;
    private final List<RollupInterval> intervals;
    private final CoverageSource source;
    private final PackedState packed;
    private final ShadowCheck shadow;
    private final ScheduledExecutorService shadows;
    private final QueryLimits limits;

    private Covered(
        RollupQueryRunner runner,
        QueryLimits limits,
        List<RollupInterval> intervals,
        CoverageSource source,
        PackedState packed,
        ShadowCheck shadow,
        ScheduledExecutorService shadows) {
      this.packed = packed;
      this.runner = runner;
      this.limits = limits;
      this.intervals = intervals;
      this.source = source;
      this.shadow = shadow;
      this.shadows = shadows;
    }

    ShadowCheck shadow() {
      return shadow;
    }

    /** The intervals of the rollup tables. */
    List<RollupInterval> intervals() {
      return intervals;
    }

    /** Plans queries without reading them. */
    QueryExplainer explainer() {
      return new QueryExplainer(
          (tsdb, query, index) ->
              source.afterFirstReading(() -> runner.explain(query, index, limits)),
          () -> source.current().reason());
    }

    @Override
    public Coverage coverage() {
      return source.current();
    }

    @Override
    public String packed() {
      Coverage now = source.current();
      return now.reason().isEmpty() ? packed.text(now) : "";
    }

    @Override
    public List<ShadowResult> checks() {
      return shadow.last();
    }

    @Override
    public List<ShadowResult> differences() {
      return shadow.differences();
    }
  }

  /**
   * Starts to read the coverage. A TSD without rollups ({@code tsd.rollups.enable}), or with a
   * rollup_config.json or a schema that the suite refuses, runs queries as OpenTSDB does; the log
   * says why.
   */
  static CoveredQueries start(TSDB tsdb, QueryConfig config, QueryThreads threads) {
    if (!tsdb.getConfig().getBoolean("tsd.rollups.enable")) {
      LOG.warn("rollup-query reads no rollups: tsd.rollups.enable is false");
      return stock(tsdb, config, "tsd.rollups.enable is false");
    }
    List<String> lacks = OpenTsdbNames.series(TSDB.class.getClassLoader()).missing();
    if (!lacks.isEmpty()) {
      return refused(tsdb, config, "this OpenTSDB lacks " + String.join(", ", lacks));
    }
    String file = String.valueOf(tsdb.getConfig().getString("tsd.rollups.config"));
    try {
      RollupTables tables =
          new RollupTables(RollupConfig.load(file), config.readsHistograms(), config.readsPacked());
      Map<String, String> names = tables.byLevel();
      CoverageScan scan = new CoverageScan(tsdb.getClient(), config.coverageTable(), names);
      CoverageSource source = CoverageSource.of(scan);
      RollupQueryRunner runner =
          RollupQueryRunner.of(
              tsdb,
              tables,
              source::reading,
              CoverageSource::millis,
              threads,
              config.maxBatches(),
              config.annotationsOverRollups());
      ScheduledExecutorService shadows = Executors.newSingleThreadScheduledExecutor(shadowThread());
      ShadowCheck shadow =
          new ShadowCheck(
              config.shadow(),
              runner.buckets(),
              bucket ->
                  asOf(
                      scan.read(System.currentTimeMillis()).joinUninterruptibly(MAX_READING_MILLIS),
                      bucket),
              names,
              (millis, work) -> {
                // The work catches what it throws.
                ScheduledFuture<?> unused = shadows.schedule(work, millis, TimeUnit.MILLISECONDS);
              },
              new Random(),
              CoverageSource::millis,
              System::currentTimeMillis);
      runner.checkBy(shadow);
      source.start(config.coverageMillis());
      return new CoveredQueries(
          new AfterFirstReading(runner, source),
          new Covered(
              runner,
              config.limits(),
              tables.intervals(),
              source,
              new PackedState(tables, scan.silent()),
              shadow,
              shadows),
          source,
          "");
    } catch (SchemaException e) {
      // Its message names the keys.
      return refused(tsdb, config, String.valueOf(e.getMessage()));
    } catch (IOException | IllegalArgumentException e) {
      return refused(tsdb, config, "tsd.rollups.config: " + e.getMessage());
    }
  }

  /** Reads rollups when the coverage was read, or could not be. */
  private static final class AfterFirstReading implements QueryRunner {
    private final QueryRunner runner;
    private final CoverageSource source;

    AfterFirstReading(QueryRunner runner, CoverageSource source) {
      this.runner = runner;
      this.source = source;
    }

    @Override
    public Deferred<List<DataPoints[]>> run(TSDB asked, TSQuery query, QueryContext context) {
      return source.afterFirstReading(() -> runner.run(asked, query, context));
    }

    @Override
    public boolean readsHistograms(TSSubQuery query) {
      return runner.readsHistograms(query);
    }
  }

  /**
   * Nothing can be said of a bucket whose raw data may be gone. Packed rollups are as of the plain
   * ones that they are copies of, and must be proven, too.
   */
  private static long asOf(Coverage coverage, ShadowBucket bucket) {
    if (bucket.from() < coverage.floor(CoverageFloor.RAW, bucket.metric()) * 1000) {
      return Coverage.NOT_PROVEN;
    }
    long asOf = asOf(coverage, bucket, bucket.level());
    // NOT_PROVEN is before all times.
    return Level.isPacked(bucket.interval())
        ? Math.min(asOf, asOf(coverage, bucket, bucket.interval()))
        : asOf;
  }

  private static long asOf(Coverage coverage, ShadowBucket bucket, String level) {
    return coverage.asOf(level, bucket.width(), bucket.metric(), bucket.from(), bucket.to());
  }

  private static ThreadFactory shadowThread() {
    return work -> {
      Thread thread = new Thread(work, "rollup-query-shadow");
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Why no rollups are read; empty if they are, inside the coverage. */
  String reason() {
    return reason;
  }

  /** The coverage and its checks; null if no rollups are read, for {@link #reason}. */
  @Nullable Covered covered() {
    return covered;
  }

  QueryRunner runner() {
    return runner;
  }

  /** What OpenTSDB's own code may run. */
  StockRunner floors() {
    return new StockRunner(source);
  }

  /** Whether rollups are read inside the coverage. */
  boolean readsRollups() {
    return covered != null;
  }

  /** Reports the state of the coverage and of its checks. */
  void collectStats(StatsCollector collector) {
    if (covered != null) {
      covered.runner.collectStats(collector, QueryCounts.PREFIX);
      covered.source.collectStats(collector, QueryCounts.PREFIX);
      covered.packed.collectStats(covered.coverage(), collector, QueryCounts.PREFIX);
      covered.shadow.collectStats(collector, QueryCounts.PREFIX);
    }
  }

  /** Ends the reading of the coverage and the checks. */
  void stop() {
    source.stop();
    if (covered != null) {
      covered.shadows.shutdownNow();
    }
  }
}
