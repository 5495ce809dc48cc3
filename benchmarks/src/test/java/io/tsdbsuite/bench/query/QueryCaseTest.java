package io.tsdbsuite.bench.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bench.measure.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryCaseTest {
  private static final Times TIMES = new Times(1_700_000_000L / Times.HOUR * Times.HOUR);

  @Test
  void eachQueryHasANameOfItsOwn() {
    QueryTables tables = new QueryTables(new Report("make test"), 20, 1000);
    List<String> names = QueryCase.all(TIMES).stream().map(tables::name).toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void everyRangeLiesInWhatIsStored() {
    for (QueryCase each : QueryCase.all(TIMES)) {
      assertThat(each.from()).isBetween(TIMES.year(), each.to() - Times.HOUR);
      assertThat(each.from() % Times.HOUR).isZero();
      assertThat(each.to()).isIn(TIMES.midnight(), TIMES.now());
    }
  }
}
