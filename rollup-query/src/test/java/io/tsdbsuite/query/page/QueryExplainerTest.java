package io.tsdbsuite.query.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.QueryTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import org.junit.jupiter.api.Test;

class QueryExplainerTest {
  private static final PlanSize SIZE = PlanSize.raw(new QueryTimes(0, 0, 0, 0, 5_400_000));
  private static final SeriesEstimate SERIES = new SeriesEstimate(50, 12.5, 25, 360);

  private final List<Integer> planned = new ArrayList<>();

  private final QueryExplainer explainer =
      new QueryExplainer(
          (tsdb, query, index) -> {
            planned.add(index);
            return Deferred.fromResult(
                index == 0
                    ? SubPlan.raw("not downsampled", SIZE).estimated(SERIES)
                    : SubPlan.stock("delete"));
          },
          () -> "the table is missing");

  static TSQuery query(int subs) {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("cpu");
    TSQuery query = new TSQuery();
    query.setStart("1000");
    query.setEnd("2000");
    query.setQueries(new ArrayList<>(Collections.nCopies(subs, sub)));
    query.validateAndSetQuery();
    return query;
  }

  @Test
  void allSubQueriesArePlanned() throws Exception {
    Map<String, Object> fields = explainer.explain(null, query(2)).join();
    assertThat(fields)
        .containsEntry("start", 1_000_000L)
        .containsEntry("end", 2_000_000L)
        .containsEntry("coverage", "the table is missing")
        .containsEntry(
            "queries",
            List.of(
                Map.of(
                    "index",
                    0,
                    "query",
                    "sum:cpu",
                    "readBy",
                    "raw",
                    "summary",
                    "raw (not downsampled)",
                    "reason",
                    "not downsampled",
                    "ofSeries",
                    Map.of("rollupCells", 0L, "rawHours", 1.5),
                    "series",
                    13L,
                    "cells",
                    1875L),
                Map.of(
                    "index", 1,
                    "query", "sum:cpu",
                    "readBy", "OpenTSDB",
                    "summary", "OpenTSDB (delete)",
                    "reason", "delete")));
  }

  @Test
  void tooManySubQueriesAreRefused() {
    assertThatThrownBy(() -> explainer.explain(null, query(51)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("explain takes at most 50 sub-queries, found 51");
    assertThat(planned).isEmpty();
  }
}
