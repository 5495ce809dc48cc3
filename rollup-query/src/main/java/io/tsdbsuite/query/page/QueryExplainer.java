package io.tsdbsuite.query.page;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.http.QueryText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;

/** Tells how a query would be read, without reading it: the body of {@code /explain}. */
public final class QueryExplainer {
  private static final int MAX_SUB_QUERIES = 50;

  /** Plans one sub-query. */
  public interface Plans {
    /** The plan; fails as the query would, for example with NoSuchUniqueName. */
    Deferred<SubPlan> of(TSDB tsdb, TSQuery query, int index);
  }

  private final Plans plans;
  private final Supplier<String> coverageReason;

  /**
   * @param coverageReason why nothing is proven at all; empty if something may be
   */
  public QueryExplainer(Plans plans, Supplier<String> coverageReason) {
    this.plans = plans;
    this.coverageReason = coverageReason;
  }

  /**
   * The plans of all sub-queries.
   *
   * @param query after {@code validateAndSetQuery}
   * @return the fields of a JSON object
   * @throws IllegalArgumentException if there are too many sub-queries
   */
  public Deferred<Map<String, Object>> explain(TSDB tsdb, TSQuery query) {
    List<TSSubQuery> subs = query.getQueries();
    if (subs.size() > MAX_SUB_QUERIES) {
      throw new IllegalArgumentException(
          "explain takes at most " + MAX_SUB_QUERIES + " sub-queries, found " + subs.size());
    }
    List<Deferred<SubPlan>> answers = new ArrayList<>();
    for (int i = 0; i < subs.size(); i++) {
      answers.add(plans.of(tsdb, query, i));
    }
    return Deferred.groupInOrder(answers).addCallback(found -> fields(query, found));
  }

  private Map<String, Object> fields(TSQuery query, List<SubPlan> found) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("index", i);
      one.put("query", QueryText.of(query.getQueries().get(i)));
      one.putAll(found.get(i).fields());
      all.add(one);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("start", query.startTime());
    fields.put("end", query.endTime());
    fields.put("coverage", coverageReason.get());
    fields.put("queries", all);
    return fields;
  }
}
