package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.query.plan.CellCosts;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.Planner;
import io.tsdbsuite.query.plan.ProvenTimes;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;

/**
 * Answers sub-queries from rollups where they are exact, else by OpenTSDB's own code from raw data.
 */
public final class RollupQueryRunner implements QueryRunner {
  /** A point each ten seconds. Until rows are counted, what an hour of raw data costs. */
  private static final double POINTS_OF_HOUR = 360;

  /** A scan costs a round trip and a seek, as much as some hundred cells. */
  private static final double CELLS_OF_SCAN = 200;

  private final StorageSchema schema;
  private final RollupTables tables;
  private final Planner planner;
  private final Executor executor;

  /**
   * @param schema of the TSD that is asked
   * @param executor decodes rows; it must not run tasks in the caller's thread
   */
  public RollupQueryRunner(
      StorageSchema schema, RollupTables tables, Planner planner, Executor executor) {
    this.schema = schema;
    this.tables = tables;
    this.planner = planner;
    this.executor = executor;
  }

  /**
   * A runner for a TSD with rollups, by its own configuration.
   *
   * @param proven the coverage
   * @param executor as in the constructor
   * @throws IOException when rollup_config.json cannot be read
   * @throws io.tsdbsuite.format.schema.SchemaException with all problems of the configuration
   */
  public static RollupQueryRunner of(TSDB tsdb, ProvenTimes proven, Executor executor)
      throws IOException {
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> each : tsdb.getConfig().getMap().entrySet()) {
      config = config.with(each.getKey(), each.getValue());
    }
    RollupTables tables =
        new RollupTables(RollupConfig.load(tsdb.getConfig().getString("tsd.rollups.config")));
    return new RollupQueryRunner(
        StorageSchema.from(config), tables, new Planner(tables, proven), executor);
  }

  @Override
  public Deferred<List<DataPoints[]>> run(TSDB tsdb, TSQuery query, QueryContext context) {
    List<Deferred<DataPoints[]>> answers = new ArrayList<>();
    for (int i = 0; i < query.getQueries().size(); i++) {
      answers.add(answer(tsdb, query, i, context));
    }
    return Deferred.groupInOrder(answers).addCallback(ArrayList::new);
  }

  private Deferred<DataPoints[]> answer(TSDB tsdb, TSQuery query, int index, QueryContext context) {
    if (query.getDelete()) {
      return stock(tsdb, query, index, "delete", context);
    }
    return RawQuery.of(tsdb, query, index)
        .addCallbackDeferring(raw -> answer(tsdb, query, index, raw, context));
  }

  private Deferred<DataPoints[]> answer(
      TSDB tsdb, TSQuery query, int index, RawQuery raw, QueryContext context) {
    if (raw.isPreAggregate()) {
      return stock(tsdb, query, index, "pre-aggregates", context);
    }
    String reason = planner.rawOnly(query.getQueries().get(index));
    if (reason == null && !raw.ownReaderOnly().isEmpty()) {
      reason = raw.ownReaderOnly();
    }
    if (reason != null) {
      return raw(raw, index, reason, context);
    }
    return raw.metricName()
        .addCallbackDeferring(
            metric -> {
              // Buckets of a calendar take some time, which the threads of HBase's client lack.
              Deferred<String> planned = new Deferred<>();
              executor.execute(() -> planned.callback(metric));
              return planned;
            })
        .addCallbackDeferring(metric -> planned(tsdb, query, index, raw, metric, context));
  }

  private Deferred<DataPoints[]> planned(
      TSDB tsdb, TSQuery query, int index, RawQuery raw, String metric, QueryContext context) {
    PlannedPieces plan =
        planner.plan(
            query.getQueries().get(index),
            metric,
            query.startTime(),
            query.endTime(),
            raw.scanStart() * 1000,
            (raw.scanEnd() + (raw.readsRowAfterEnd() ? RowKey.ROW_SPAN_SECONDS : 0)) * 1000,
            new CellCosts(1, POINTS_OF_HOUR, CELLS_OF_SCAN));
    RollupFunction function = plan.function();
    if (function == null) {
      return raw(raw, index, plan.reason(), context);
    }
    context.note(index, plan.toString());
    return read(tsdb, raw, function, plan.pieces(), context)
        .addErrback((Exception failure) -> notExact(failure, raw, index, context));
  }

  private Deferred<DataPoints[]> read(
      TSDB tsdb,
      RawQuery raw,
      RollupFunction function,
      List<QueryPlan.Piece> pieces,
      QueryContext context) {
    boolean counted = function == RollupFunction.AVG || function == RollupFunction.COUNT;
    return new SeriesReader(tsdb, schema, tables, raw, function, context, executor)
        .read(pieces)
        .addCallback(series -> raw.group(series, counted));
  }

  private Object notExact(Exception failure, RawQuery raw, int index, QueryContext context)
      throws Exception {
    if (failure instanceof NotExactException) {
      return raw(raw, index, String.valueOf(failure.getMessage()), context);
    }
    throw failure;
  }

  private static Deferred<DataPoints[]> stock(
      TSDB tsdb, TSQuery query, int index, String reason, QueryContext context) {
    context.note(index, "OpenTSDB (" + reason + ")");
    return RawQuery.stock(tsdb, query, index);
  }

  private static Deferred<DataPoints[]> raw(
      RawQuery raw, int index, String reason, QueryContext context) {
    context.note(index, "raw (" + reason + ")");
    return raw.run();
  }
}
