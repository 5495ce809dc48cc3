package io.tsdbsuite.query.run;

import com.stumbleupon.async.Deferred;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.Query;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.uid.UniqueId.UniqueIdType;
import org.jspecify.annotations.Nullable;

/**
 * Runs all sub-queries as OpenTSDB does, in a TSD in which no rollups can be read; but none that
 * would read raw data that may be gone.
 */
public final class StockRunner implements QueryRunner {
  private static final String NOTE =
      "OpenTSDB (no rollups are read: see /plugin/rollup-query/status)";

  private static final String NO_ROLLUPS = "this TSD reads no rollups";

  private static final long HOUR = 3_600_000;

  private final Floors floors;

  /** Until when raw data may be gone: one reading of the coverage. */
  public interface RawFloors {
    /**
     * The floor of a metric: raw data of rows that begin before it may be gone.
     *
     * @param metric its name; empty if it has none, then the highest floor counts
     * @return milliseconds since the epoch; 0 if nothing is gone, MAX_VALUE if nothing is known
     */
    long rawFloor(String metric);

    /**
     * Whether all floors were read. If not, {@link #rawFloor} is the highest time that a floor may
     * have now.
     */
    boolean floorsKnown();

    /** Why nothing is proven at all; empty if something may be. */
    String reason();
  }

  /** The floors of now. */
  public interface Floors {
    /** Those of the last reading. */
    RawFloors reading();

    /** Does the work when the floors were read for the first time, or could not be. */
    <T> Deferred<T> afterFirstReading(Supplier<Deferred<T>> work);
  }

  /** Creates the runner. */
  public StockRunner(Floors floors) {
    this.floors = floors;
  }

  @Override
  public Deferred<List<DataPoints[]>> run(TSDB tsdb, TSQuery query, QueryContext context) {
    for (int i = 0; i < query.getQueries().size(); i++) {
      context.note(i, NOTE);
    }
    return floors.afterFirstReading(() -> read(tsdb, query, context));
  }

  private Deferred<List<DataPoints[]>> read(TSDB tsdb, TSQuery query, QueryContext context) {
    return query
        .buildQueriesAsync(tsdb)
        .addCallbackDeferring(
            queries ->
                metrics(tsdb, query)
                    .addCallbackDeferring(
                        metrics -> {
                          require(query, metrics, NO_ROLLUPS, context);
                          List<Deferred<DataPoints[]>> answers = new ArrayList<>(queries.length);
                          for (Query each : queries) {
                            answers.add(run(each));
                          }
                          return Deferred.groupInOrder(answers)
                              .addCallback(
                                  all -> {
                                    // A floor may have risen meanwhile.
                                    require(query, metrics, NO_ROLLUPS, context);
                                    return new ArrayList<>(all);
                                  });
                        }));
  }

  /** The names of the metrics; of one without a name an empty text. */
  private static Deferred<List<String>> metrics(TSDB tsdb, TSQuery query) {
    List<Deferred<String>> names = new ArrayList<>();
    for (TSSubQuery sub : query.getQueries()) {
      String metric = sub.getMetric();
      if (sub.getTsuids() == null || sub.getTsuids().isEmpty()) {
        names.add(Deferred.fromResult(metric == null ? "" : metric));
      } else {
        String uid = sub.getTsuids().get(0).substring(0, TSDB.metrics_width() * 2);
        names.add(
            tsdb.getUidName(UniqueIdType.METRIC, UniqueId.stringToUid(uid))
                .addErrback((Exception unknown) -> ""));
      }
    }
    return Deferred.groupInOrder(names).addCallback(all -> all);
  }

  /**
   * Fails with a {@link QueryAbortedException} if OpenTSDB itself would delete, or read in order to
   * delete, what may be gone.
   *
   * @param query validated
   */
  public Deferred<Object> requireMayDelete(TSDB tsdb, TSQuery query) {
    return floors.afterFirstReading(
        () ->
            metrics(tsdb, query)
                .addCallback(
                    metrics -> {
                      QueryContext alone = new QueryContext(QueryLimits.NONE, () -> 0);
                      require(query, metrics, "a query that deletes must begin there", alone);
                      return "";
                    }));
  }

  /**
   * @param rule what follows from a floor
   */
  private void require(TSQuery query, List<String> metrics, String rule, QueryContext context) {
    RawFloors now = floors.reading();
    for (int i = 0; i < metrics.size(); i++) {
      String metric = metrics.get(i);
      long floor = now.rawFloor(metric);
      TSSubQuery sub = query.getQueries().get(i);
      if (!sub.isPreAggregate() && from(query, sub.downsamplingSpecification()) < floor) {
        QueryAbortedException refusal =
            now.floorsKnown()
                ? new QueryAbortedException(
                    AbortReason.RAW_GONE, before(metric, floor) + " is gone, and " + rule)
                : notKnown(metric, now);
        context.abort(refusal.reason(), String.valueOf(refusal.getMessage()));
        context.check();
      }
    }
  }

  /** The refusal of raw data below a floor that is not known. */
  public static QueryAbortedException notKnown(String metric, RawFloors now) {
    return new QueryAbortedException(
        AbortReason.NO_COVERAGE,
        before(metric, now.rawFloor(metric))
            + " may be gone, the coverage is not known: "
            + now.reason());
  }

  /** Words for raw data of a metric before a floor. */
  public static String before(String metric, long floor) {
    return "raw data of "
        + (metric.isEmpty() ? "a metric without a name" : metric)
        + (floor == Long.MAX_VALUE ? "" : " before " + Instant.ofEpochMilli(floor));
  }

  /** The first time that OpenTSDB reads, milliseconds. */
  static long from(TSQuery query, @Nullable DownsamplingSpecification spec) {
    long from = query.startTime();
    if (spec != null && spec.getInterval() > 0) {
      from -= from % spec.getInterval();
    }
    return from - from % HOUR;
  }

  /** The answer of one configured sub-query, histogram or not. */
  private static Deferred<DataPoints[]> run(Query query) {
    return query.isHistogramQuery() ? query.runHistogramAsync() : query.runAsync();
  }
}
