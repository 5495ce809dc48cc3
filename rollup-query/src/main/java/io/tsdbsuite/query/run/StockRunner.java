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

  private static final long HOUR = 3_600_000;

  private final Floors floors;

  /** Until when raw data may be gone. */
  public interface Floors {
    /**
     * Raw data of a metric before it may be gone.
     *
     * @param metric its name; empty if it has none
     * @return milliseconds since the epoch; MAX_VALUE if that is not known
     */
    long rawFloor(String metric);

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
                          require(query, metrics, context);
                          List<Deferred<DataPoints[]>> answers = new ArrayList<>(queries.length);
                          for (Query each : queries) {
                            answers.add(run(each));
                          }
                          return Deferred.groupInOrder(answers)
                              .addCallback(
                                  all -> {
                                    // A floor may have risen meanwhile.
                                    require(query, metrics, context);
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

  private void require(TSQuery query, List<String> metrics, QueryContext context) {
    for (int i = 0; i < metrics.size(); i++) {
      String metric = metrics.get(i);
      long floor = floors.rawFloor(metric);
      TSSubQuery sub = query.getQueries().get(i);
      if (!sub.isPreAggregate() && from(query, sub.downsamplingSpecification()) < floor) {
        if (floor == Long.MAX_VALUE) {
          context.abort(
              AbortReason.NO_COVERAGE,
              "raw data of " + metric + " may be gone, the coverage is not known");
        } else {
          context.abort(
              AbortReason.RAW_GONE,
              String.format(
                  "raw data of %s before %s is gone, and this TSD reads no rollups",
                  metric, Instant.ofEpochMilli(floor)));
        }
        context.check();
      }
    }
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
