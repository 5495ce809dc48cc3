package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BenchmarkResultsTest {
  private static final long TO = 400L * 86400;
  private static final QuerySpan DAY = QuerySpan.ofDays(1, TO);
  private static final QuerySpan YEAR = QuerySpan.ofDays(365, TO);
  private static final Query QUERY = Query.ALL.get(0);

  private final QueryMeasurement day = measured(DAY, Map.of(QuerySource.RAW_CELLS, 60.0));
  private final QueryMeasurement year = measured(YEAR, Map.of());
  private final BenchmarkResults results =
      new BenchmarkResults(
          List.of(day, year),
          List.of(),
          Map.of(
              DAY,
              new BenchmarkResults.Cost(24, 8640),
              YEAR,
              new BenchmarkResults.Cost(8760, 3 * 8640)),
          new QueryLimits(1));

  @Test
  void aSourceThatWasNotMeasuredIsEstimatedByItsCells() {
    assertThat(year.has(QuerySource.RAW_CELLS)).isFalse();
    assertThat(year.has(QuerySource.RAW_COMPACTED)).isTrue();
    assertThat(results.millis(year, QuerySource.RAW_CELLS)).isEqualTo(180);
    assertThat(results.ratio(year, QuerySource.RAW_CELLS)).isEqualTo(90);
    assertThat(results.ratio(year, QuerySource.RAW_COMPACTED)).isEqualTo(5);
  }

  @Test
  void aMeasuredSourceHasItsMedian() {
    assertThat(day.has(QuerySource.RAW_CELLS)).isTrue();
    assertThat(results.millis(day, QuerySource.RAW_CELLS)).isEqualTo(60);
  }

  @Test
  void theCellsOfThePluginAreThoseThatItCounts() {
    assertThat(results.cost(day)).isEqualTo(new BenchmarkResults.Cost(24, 8640));
    assertThat(day.reading().cells()).isEqualTo(48);
    assertThat(day.withCells(7).reading()).isEqualTo(new PluginReading("1h:24", 7));
  }

  private static QueryMeasurement measured(QuerySpan span, Map<QuerySource, Double> more) {
    Map<QuerySource, Double> millis = new HashMap<>(more);
    millis.put(QuerySource.RAW_COMPACTED, 10.0);
    millis.put(QuerySource.PLUGIN, 2.0);
    Map<QuerySource, Runs> runs = new HashMap<>();
    millis.forEach(
        (source, each) ->
            runs.put(
                source, new Runs(new Answer(new TreeMap<>()), List.of(each + 10, each, each - 1))));
    return new QueryMeasurement(QUERY, span, runs, "", List.of(), new PluginReading("1h:24", 48));
  }
}
