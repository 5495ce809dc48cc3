package io.tsdbsuite.bench.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.query.Dashboards.Turn;
import io.tsdbsuite.bench.query.QueryCase.Times;
import io.tsdbsuite.bench.query.QuerySuite.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuerySuiteTest {
  private static final Times TIMES = new Times(1_700_000_000L / Times.HOUR * Times.HOUR);

  private final Report report = new Report("make test");
  private final QuerySuite suite = new QuerySuite();

  @Test
  void eachQueryHasANameOfItsOwnAndARangeThatIsStored() {
    List<QueryCase> all = new ArrayList<>(QueryCase.all(TIMES));
    assertThat(QueryCase.percentiles(TIMES).stream().map(each -> each.request(QueryWay.RAW)))
        .doesNotHaveDuplicates();
    assertThat(all.stream().map(QuerySuiteTest::name)).doesNotHaveDuplicates();
    all.addAll(QueryCase.percentiles(TIMES));
    all.addAll(QueryCase.packed(TIMES));
    for (QueryCase each : all) {
      assertThat(each.from()).isBetween(TIMES.year(), each.to() - Times.HOUR);
      assertThat(each.to()).isIn(TIMES.midnight(), TIMES.now());
    }
  }

  @Test
  void eachWayIsAskedForPercentilesOfSketchesInItsForm() {
    QueryCase query =
        QueryCase.percentiles(TIMES).stream().filter(QueryCase::isOfSketches).findFirst().get();
    String percentiles = "m=sum%3A7d-sum%3Apercentiles%5B99%5D";
    String metric = "%3Abench.few07%7Bhost%3D*%7D";
    assertThat(query.request(QueryWay.PLUGIN)).endsWith(percentiles + metric);
    assertThat(query.request(QueryWay.STOCK))
        .contains(
            "\"bench.few07\",", "\"7d-sum\",\"tags\":{\"host\":\"*\"},", "\"percentiles\":[99],");
    assertThat(query.request(QueryWay.RAW)).endsWith("m=sum%3A7d-p99" + metric);
    assertThat(query.isStoredFor(QueryWay.SPLIT, TIMES)).isFalse();
  }

  @Test
  void eachQueryIsOfAPart() {
    for (QueryCase each : QueryCase.all(TIMES)) {
      assertThat(suite.parts()).contains(QuerySuite.part(each));
    }
  }

  @Test
  void stockIsComparedWhereItIsRight() {
    QuerySuite.table(report);
    add(Map.of(QueryWay.STOCK, result(2, ""), QueryWay.PLUGIN, result(3, "")));
    add(Map.of(QueryWay.STOCK, result(1, "2 missing"), QueryWay.PLUGIN, result(3, "1 wrong")));
    add(Map.of(QueryWay.STOCK, result(1, ""), QueryWay.PLUGIN, result(3, "status 413")));
    suite.aims(report);

    assertThat(report.section())
        .contains("| 1 d, `sum:1h-avg`, 20 series | 2.0 | - | 3.0 | - | 1.50 | 1h:24 |")
        .contains("| 1.0 (2 missing) | - | 3.0 (1 wrong) | - | - | 1h:24 |")
        .contains("| 1.0 | - | 3.0 (status 413) | - | - | 1h:24 |")
        .contains("| at most 1.05 | 1.5 | no |", "| at most 0 | 2 | no |");
  }

  @Test
  void dashboardsAreComparedWithAndWithoutHeavyQueries() {
    String refused = "The query would read about 8,760,000 cells; the limit is 4,000,000.";
    List<String> heavy = new ArrayList<>(Collections.nCopies(38, refused));
    heavy.add("The query has read 4,000,001 cells; the limit is 4,000,000.");
    heavy.add("status 200");
    Dashboards.add(
        report, new Turn(millis(900, 4, 10), List.of()), new Turn(millis(800, 5, 25), heavy));

    assertThat(report.section())
        .contains("| alone | 900 | 4.0 | 10.0 | 0 | 0 |")
        .contains("| beside 20 clients with heavy queries | 800 | 5.0 | 25.0 | 40 | 38 |")
        .contains("A heavy query's answer: `" + refused + "`")
        .contains("| at most 2 | 2.5 | no |", "| at most 0 | 2 | no |");
  }

  /** As many times as given, 2 % of them slow; one is slower than the p99. */
  private static List<Double> millis(int count, double fast, double slow) {
    List<Double> millis = new ArrayList<>(Collections.nCopies(count, fast));
    Collections.fill(millis.subList(0, count / 50), slow);
    millis.set(0, 10 * slow);
    return millis;
  }

  private void add(Map<String, Result> ways) {
    QueryCase query = QueryCase.all(TIMES).get(1);
    suite.add(report, name(query), query, ways);
  }

  private static String name(QueryCase query) {
    return QuerySuite.name(query, query.metric().equals(QueryCase.FEW) ? 20 : 1000);
  }

  private static Result result(double millis, String difference) {
    return new Result(millis, "1h:24", difference);
  }
}
