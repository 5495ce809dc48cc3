package io.tsdbsuite.bench.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryTablesTest {
  private static final Times TIMES = new Times(1_700_000_000L / Times.HOUR * Times.HOUR);

  private final Report report = new Report("make test");
  private final QueryTables tables = new QueryTables(report, 20, 1000);

  @Test
  void eachQueryHasANameOfItsOwnAndARangeThatIsStored() {
    List<QueryCase> all = QueryCase.all(TIMES);
    assertThat(all.stream().map(tables::name)).doesNotHaveDuplicates();
    for (QueryCase each : all) {
      assertThat(each.from()).isBetween(TIMES.year(), each.to() - Times.HOUR);
      assertThat(each.to()).isIn(TIMES.midnight(), TIMES.now());
    }
  }

  @Test
  void stockIsComparedWhereItIsRight(@TempDir Path dir) throws IOException {
    QueryCase query = QueryCase.all(TIMES).get(1);
    tables.add(query, List.of(result(Way.STOCK, 2, ""), result(Way.PLUGIN, 3, "")));
    tables.add(query, List.of(result(Way.STOCK, 1, "2 missing"), result(Way.PLUGIN, 3, "1 wrong")));
    tables.add(query, List.of(result(Way.STOCK, 1, ""), result(Way.PLUGIN, 3, "status 413")));

    assertThat(tables.markdown())
        .contains("| 1 d, `sum:1h-avg`, 20 series | 2.0 | - | 3.0 | - | 1.50 | 1h:24 |")
        .contains("| 1.0 (2 missing) | - | 3.0 (1 wrong) | - | - | 1h:24 |")
        .contains("| 1.0 | - | 3.0 (status 413) | - | - | 1h:24 |")
        .contains("| 7 | - | 7 | - | 48 | 0.5 + 0.3 | - | 0.5 + 0.3 | - |")
        .contains("| at most 1.05 | 1.5 | no |", "| at most 0 | 2 | no |");
    report.writeJson(dir.resolve("query.json"));
    assertThat(Files.readString(dir.resolve("query.json")))
        .contains("\"difference\" : \"2 missing\"", "\"way\" : \"plugin\"", "\"cells\" : 48");
  }

  @Test
  void dashboardsAreComparedWithAndWithoutHeavyQueries() {
    tables.add(
        new Dashboards.Load(900, 4, 10, 0, 0, ""),
        new Dashboards.Load(800, 5, 25, 40, 39, "about 8,760,000 cells"));
    assertThat(tables.markdown())
        .contains("| alone | 900 | 4.0 | 10.0 | 0 | 0 |")
        .contains("| beside 20 clients with heavy queries | 800 | 5.0 | 25.0 | 40 | 39 |")
        .contains("A heavy query's answer: `about 8,760,000 cells`")
        .contains("| at most 2 | 2.5 | no |", "| at most 0 | 1 | no |");
  }

  private static Result result(String way, double millis, String difference) {
    return new Result(way, 9, millis, 0.5, 0.3, 7, 48, "1h:24", difference);
  }
}
