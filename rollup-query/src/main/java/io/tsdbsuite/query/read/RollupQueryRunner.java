package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.CellCosts;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.Planner;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import org.jspecify.annotations.Nullable;

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

  @Override
  public Deferred<List<DataPoints[]>> run(TSDB tsdb, TSQuery query, QueryContext context) {
    List<Deferred<DataPoints[]>> answers = new ArrayList<>();
    for (int i = 0; i < query.getQueries().size(); i++) {
      int index = i;
      answers.add(
          RawQuery.of(tsdb, query, i)
              .addCallbackDeferring(raw -> answer(tsdb, query, index, raw, context)));
    }
    return Deferred.groupInOrder(answers).addCallback(list -> list);
  }

  private Deferred<DataPoints[]> answer(
      TSDB tsdb, TSQuery query, int index, RawQuery raw, QueryContext context) {
    TSSubQuery sub = query.getQueries().get(index);
    String reason = planner.rawOnly(sub);
    if (reason == null && !raw.ownReaderOnly().isEmpty()) {
      reason = raw.ownReaderOnly();
    }
    if (reason != null) {
      return raw(raw, index, reason, context);
    }
    return raw.metricName()
        .addCallbackDeferring(metric -> planned(tsdb, query, index, raw, metric, context));
  }

  private Deferred<DataPoints[]> planned(
      TSDB tsdb, TSQuery query, int index, RawQuery raw, String metric, QueryContext context) {
    TSSubQuery sub = query.getQueries().get(index);
    RollupFunction named = RollupFunction.of(sub.downsamplingSpecification().getFunction() + "");
    PlannedPieces plan =
        planner.plan(
            sub,
            metric,
            query.startTime(),
            query.endTime(),
            raw.scanStart() * 1000,
            (raw.scanEnd() + (raw.readsRowAfterEnd() ? 3600 : 0)) * 1000,
            new CellCosts(1, named == null ? RollupFunction.SUM : named, POINTS_OF_HOUR, CELLS_OF_SCAN));
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

  private Object notExact(
      Exception failure, RawQuery raw, int index, QueryContext context) throws Exception {
    if (failure instanceof NotExactException) {
      return raw(raw, index, String.valueOf(failure.getMessage()), context);
    }
    throw failure;
  }

  private static Deferred<DataPoints[]> raw(
      RawQuery raw, int index, @Nullable String reason, QueryContext context) {
    context.note(index, "raw (" + reason + ")");
    return raw.run();
  }
}
