package io.tsdbsuite.query.run;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.Query;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;

/** Runs all sub-queries as OpenTSDB does, in a TSD in which no rollups can be read. */
public final class StockRunner implements QueryRunner {
  private static final String NOTE =
      "OpenTSDB (no rollups are read: see /plugin/rollup-query/status)";

  /** Creates the runner. */
  public StockRunner() {}

  @Override
  public Deferred<List<DataPoints[]>> run(TSDB tsdb, TSQuery query, QueryContext context) {
    for (int i = 0; i < query.getQueries().size(); i++) {
      context.note(i, NOTE);
    }
    return query
        .buildQueriesAsync(tsdb)
        .addCallbackDeferring(
            queries -> {
              List<Deferred<DataPoints[]>> answers = new ArrayList<>(queries.length);
              for (Query each : queries) {
                answers.add(run(each));
              }
              return Deferred.groupInOrder(answers).addCallback(ArrayList::new);
            });
  }

  /** The answer of one configured sub-query, histogram or not. */
  public static Deferred<DataPoints[]> run(Query query) {
    return query.isHistogramQuery() ? query.runHistogramAsync() : query.runAsync();
  }
}
