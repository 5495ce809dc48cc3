package io.tsdbsuite.query;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.query.http.QueryHistory;
import io.tsdbsuite.query.page.Page;
import io.tsdbsuite.query.page.QueryExplainer;
import io.tsdbsuite.query.page.SubPlan;
import io.tsdbsuite.query.shadow.ShadowResult;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** The page of a TSD with rollups or without, and what explains its queries. */
final class QueryPage {
  private final Page page;
  private final QueryExplainer explainer;

  private QueryPage(Page page, QueryExplainer explainer) {
    this.page = page;
    this.explainer = explainer;
  }

  static QueryPage of(CoveredQueries queries, QueryHistory history, Supplier<String> state) {
    CoveredQueries.Covered covered = queries.covered();
    if (covered == null) {
      String reason = queries.reason();
      return new QueryPage(
          new Page(
              new NoRollups(reason),
              history,
              Collections.emptyList(),
              state,
              System::currentTimeMillis),
          new QueryExplainer(
              (tsdb, query, index) -> Deferred.fromResult(SubPlan.stock(reason)), () -> reason));
    }
    return new QueryPage(
        new Page(covered, history, covered.intervals(), state, System::currentTimeMillis),
        covered.explainer());
  }

  private static final class NoRollups implements Page.Sources {
    private final String reason;

    NoRollups(String reason) {
      this.reason = reason;
    }

    @Override
    public Coverage coverage() {
      return Coverage.nothing(reason);
    }

    @Override
    public List<ShadowResult> checks() {
      return Collections.emptyList();
    }

    @Override
    public List<ShadowResult> differences() {
      return Collections.emptyList();
    }
  }

  Page page() {
    return page;
  }

  QueryExplainer explainer() {
    return explainer;
  }
}
