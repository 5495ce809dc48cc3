package io.tsdbsuite.query.http;

import io.tsdbsuite.query.run.QueryContext;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSQuery;
import net.opentsdb.stats.QueryStats;
import org.jspecify.annotations.Nullable;

/** OpenTSDB's statistics of a query; its summary (showSummary) has the notes of the context. */
final class NotedQueryStats extends QueryStats {
  // Null while the constructor of QueryStats logs the new query.
  private final @Nullable QueryContext context;

  /**
   * Also called by the constructor of QueryStats; without an initializer, which would run after.
   */
  private @Nullable Integer hash;

  /**
   * Registers a running query.
   *
   * @throws net.opentsdb.core.QueryException if the same query runs and duplicates are not allowed
   */
  NotedQueryStats(
      String remoteAddress, TSQuery query, Map<String, String> headers, QueryContext context) {
    super(remoteAddress, query, headers);
    this.context = context;
  }

  /** OpenTSDB finds the running query by it, also if a downsampler was widened meanwhile. */
  @Override
  public synchronized int hashCode() {
    if (hash == null) {
      hash = super.hashCode();
    }
    return hash;
  }

  @Override
  public Map<String, Object> getStats(boolean withSubQueries, boolean withScanners) {
    Map<String, Object> stats = super.getStats(withSubQueries, withScanners);
    if (withSubQueries && context != null) {
      List<String> notes = context.notes();
      if (!notes.isEmpty()) {
        stats.put("rollupQuery", notes);
      }
    }
    return stats;
  }
}
