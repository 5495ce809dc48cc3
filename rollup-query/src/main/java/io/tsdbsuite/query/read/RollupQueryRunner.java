package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.query.estimate.SeriesCounts;
import io.tsdbsuite.query.estimate.SeriesEstimates;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.page.SubPlan;
import io.tsdbsuite.query.plan.Planner;
import io.tsdbsuite.query.plan.ProvenTimes;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import io.tsdbsuite.query.run.QueryRunner;
import io.tsdbsuite.query.run.QueryTasks;
import io.tsdbsuite.query.run.QueryThreads;
import io.tsdbsuite.query.shadow.BucketReader;
import io.tsdbsuite.query.shadow.ShadowCheck;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;

/**
 * Answers sub-queries from rollups where they are exact, else by OpenTSDB's own code from raw data.
 */
public final class RollupQueryRunner implements QueryRunner {
  /** Scanners of a sub-query, if eight for each salt bucket are not more. */
  private static final int MAX_SCANNERS = 1000;

  private static final int MIN_SCANS = 8;

  private static final long ESTIMATE_MILLIS = 600_000;

  private final TSDB tsdb;
  private final StorageSchema schema;
  private final Planner planner;
  private final PlanReader.Shared shared;
  private final QueryThreads threads;
  private final SeriesEstimates estimates;
  private final SeriesCounts counts;
  private final RollupTables tables;
  private final LongSupplier clock;
  private volatile @Nullable ShadowCheck shadow;

  private RollupQueryRunner(
      TSDB tsdb,
      StorageSchema schema,
      RollupTables tables,
      Supplier<? extends ProvenTimes> coverage,
      LongSupplier clock,
      QueryThreads threads,
      int maxBatches,
      boolean annotations,
      HistogramCodecs codecs) {
    this.tsdb = tsdb;
    this.schema = schema;
    this.tables = tables;
    this.clock = clock;
    int maxScans = Math.max(MIN_SCANS, MAX_SCANNERS / PlanReader.buckets(schema));
    this.planner = new Planner(tables, coverage, clock, maxScans);
    this.shared =
        new PlanReader.Shared(
            tsdb, schema, tables, threads, new BatchQueue(maxBatches), annotations, codecs, clock);
    this.threads = threads;
    this.estimates = new SeriesEstimates(clock, ESTIMATE_MILLIS);
    this.counts = new SeriesCounts(clock);
  }

  /**
   * A runner for a TSD with rollups, by its own configuration.
   *
   * @param tables of its rollup_config.json
   * @param coverage the last reading of the coverage
   * @param clock that of {@link ProvenTimes#began}, milliseconds
   * @param maxBatches batches of rows that may wait before scans do
   * @param annotations whether those of series are also looked for where rollups are read
   * @throws io.tsdbsuite.format.schema.SchemaException with all problems of the configuration
   */
  public static RollupQueryRunner of(
      TSDB tsdb,
      RollupTables tables,
      Supplier<? extends ProvenTimes> coverage,
      LongSupplier clock,
      QueryThreads threads,
      int maxBatches,
      boolean annotations) {
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> each : tsdb.getConfig().getMap().entrySet()) {
      config = config.with(each.getKey(), each.getValue());
    }
    StorageSchema schema = StorageSchema.from(config);
    return new RollupQueryRunner(
        tsdb,
        schema,
        tables,
        coverage,
        clock,
        threads,
        maxBatches,
        annotations,
        tables.hasHistograms() ? codecs(schema.histogramCodecs()) : HistogramCodecs.NONE);
  }

  private static HistogramCodecs codecs(@Nullable String location) {
    HistogramCodecs codecs = HistogramCodecs.NONE;
    String found = "";
    try {
      codecs = location == null ? codecs : HistogramCodecs.load(location);
    } catch (IOException e) {
      found = ", found " + e;
    }
    if (codecs.id(HistogramCodecs.SKETCH) == null) {
      throw new SchemaException(
          StorageSchema.HISTOGRAMS_CONFIG,
          Collections.singletonList(
              "suite.histograms of rollup_config.json needs an id of "
                  + HistogramCodecs.SKETCH
                  + " (or tsd.rollup_query.sketches = off)"
                  + found));
    }
    return codecs;
  }

  /** Reads single buckets of the same tables. */
  public BucketReader buckets() {
    return new BucketRows(tsdb, schema, tables, shared.codecs);
  }

  /**
   * Reports the cells that were read.
   *
   * @param prefix of the statistics
   */
  public void collectStats(StatsCollector collector, String prefix) {
    shared.counts.collectStats(collector, prefix);
    shared.unreadable.collectStats(collector, prefix);
  }

  /** Has some of the sub-queries checked from now on. */
  public void checkBy(ShadowCheck check) {
    shadow = check;
  }

  /**
   * How a sub-query would be read. Counts the series in the row keys of one hour, if they are not
   * known. Fails as the query would, for example with NoSuchUniqueName.
   *
   * @param query after {@code validateAndSetQuery}
   * @param limits of a query; its time ends the planning of the next sub-query
   */
  public Deferred<SubPlan> explain(TSQuery query, int index, QueryLimits limits) {
    QueryContext context = new QueryContext(limits, clock);
    return SubQuery.of(this, query, index, context)
        .addCallbackDeferring(
            sub ->
                planned(sub, context)
                    .addCallbackDeferring(
                        plan ->
                            sub.isUnknown()
                                ? sub.estimate().addCallbackDeferring(done -> planned(sub, context))
                                : Deferred.fromResult(plan)));
  }

  private Deferred<SubPlan> planned(SubQuery sub, QueryContext context) {
    return QueryTasks.call(
        threads.rows(context),
        context,
        () -> {
          context.check();
          sub.plan();
          return Deferred.fromResult(sub.explained());
        });
  }

  @Override
  public Deferred<List<DataPoints[]>> run(TSDB asked, TSQuery query, QueryContext context) {
    return new QueryRun(this, query, context).start();
  }

  @Override
  public boolean readsHistograms(TSSubQuery query) {
    // Of TSUIDs the name is not known yet.
    boolean byName = query.getTsuids() == null || query.getTsuids().isEmpty();
    return byName
        ? tables.narrowestHistogram(String.valueOf(query.getMetric())) > 0
        : tables.hasHistograms();
  }

  TSDB tsdb() {
    return tsdb;
  }

  StorageSchema schema() {
    return schema;
  }

  Planner planner() {
    return planner;
  }

  PlanReader.Shared shared() {
    return shared;
  }

  @Nullable ShadowCheck shadow() {
    return shadow;
  }

  QueryThreads threads() {
    return threads;
  }

  RollupTables tables() {
    return tables;
  }

  SeriesEstimates estimates() {
    return estimates;
  }

  SeriesCounts counts() {
    return counts;
  }

  /** The present time in seconds since the epoch, by which an hour for an estimate is chosen. */
  long seconds() {
    return System.currentTimeMillis() / 1000;
  }
}
