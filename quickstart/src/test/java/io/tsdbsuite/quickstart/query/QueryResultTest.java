package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryResultTest {
  private static final Map<QuerySource, ScanCost> COSTS =
      Map.of(
          QuerySource.RAW_CELLS, new ScanCost(24, 8640, 8640, 100),
          QuerySource.RAW_COMPACTED, new ScanCost(24, 24, 8640, 50),
          QuerySource.ROLLUPS, new ScanCost(1, 1, 1, 1));

  @Test
  void aSourceThatNobodyMeasuredIsEstimatedByItsCells() {
    QueryResult result = result(Map.of());

    assertThat(result.estimated(QuerySource.RAW_CELLS)).isTrue();
    assertThat(result.estimated(QuerySource.RAW_COMPACTED)).isFalse();
    assertThat(result.millis(QuerySource.RAW_CELLS)).isEqualTo(86.4);
    assertThat(result.ratio(QuerySource.RAW_CELLS)).isEqualTo(43.2);
    assertThat(result.ratio(QuerySource.RAW_COMPACTED)).isEqualTo(5);
  }

  @Test
  void aMeasuredSourceHasItsMedian() {
    QueryResult result =
        result(Map.of(QuerySource.RAW_CELLS, new Timings(List.of(70.0, 60.0, 80.0))));

    assertThat(result.estimated(QuerySource.RAW_CELLS)).isFalse();
    assertThat(result.millis(QuerySource.RAW_CELLS)).isEqualTo(70);
  }

  @Test
  void costsOfAdjoiningScansAddUp() {
    ScanCost sum = new ScanCost(1, 2, 3, 4).plus(new ScanCost(10, 20, 30, 40));

    assertThat(sum).isEqualTo(new ScanCost(11, 22, 33, 44));
    assertThat(sum.asCells(2.5)).isEqualTo(new ScanCost(11, 33, 33, 83));
  }

  private static QueryResult result(Map<QuerySource, Timings> more) {
    Map<QuerySource, Timings> timings = new EnumMap<>(QuerySource.class);
    timings.putAll(more);
    timings.put(QuerySource.RAW_COMPACTED, new Timings(List.of(10.0)));
    timings.put(QuerySource.ROLLUPS, new Timings(List.of(2.0)));
    return new QueryResult(
        new QueryMeasurement(
            Query.ALL.get(0), new QueryRange(1), 1, false, Map.of(), List.of(), timings),
        COSTS,
        0.01);
  }
}
