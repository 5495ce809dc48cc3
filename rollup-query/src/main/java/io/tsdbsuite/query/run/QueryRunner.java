package io.tsdbsuite.query.run;

import com.stumbleupon.async.Deferred;
import java.util.List;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;

/** Runs the sub-queries of a query. */
public interface QueryRunner {
  /**
   * The answers of all sub-queries, in their order, as OpenTSDB's own path would have them: one
   * array for each sub-query.
   *
   * <p>Never blocks the caller. The deferred fails as OpenTSDB's would (NoSuchUniqueName and so
   * on), and with a {@link QueryAbortedException} when the context has stopped the query; what
   * OpenTSDB throws at once is thrown at once. The deferred is called, too, when the query was
   * stopped: until then its cells count as held.
   *
   * @param query validated, with its QueryStats set
   * @param context told of all that is read
   */
  Deferred<List<DataPoints[]>> run(TSDB tsdb, TSQuery query, QueryContext context);

  /** Whether percentiles of histograms of the sub-query's metric may come from rollups. */
  default boolean readsHistograms(TSSubQuery query) {
    return false;
  }
}
