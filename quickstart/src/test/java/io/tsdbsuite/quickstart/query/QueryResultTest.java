package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryResultTest {
  private static final Map<QuerySource, ScanCost> COSTS =
      Map.of(
          QuerySource.RAW_CELLS, new ScanCost(8640, 8640),
          QuerySource.RAW_COMPACTED, new ScanCost(24, 8640));

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
    ScanCost sum = new ScanCost(2, 3).plus(new ScanCost(20, 30));

    assertThat(sum).isEqualTo(new ScanCost(22, 33));
    assertThat(sum.asCells()).isEqualTo(new ScanCost(33, 33));
  }

  @Test
  void theCellsOfThePluginAreThoseThatItCounts() {
    QueryResult result = result(Map.of());

    assertThat(result.cells(QuerySource.RAW_COMPACTED)).hasValue(24);
    assertThat(result.cells(QuerySource.STOCK)).isEmpty();
    assertThat(result.cells(QuerySource.PLUGIN)).hasValue(48);
  }

  private static QueryResult result(Map<QuerySource, Timings> more) {
    Map<QuerySource, Timings> timings = new EnumMap<>(QuerySource.class);
    timings.putAll(more);
    timings.put(QuerySource.RAW_COMPACTED, new Timings(List.of(10.0)));
    timings.put(QuerySource.PLUGIN, new Timings(List.of(2.0)));
    return new QueryResult(
        new QueryMeasurement(
            Query.ALL.get(0),
            new QueryRange(1),
            1,
            false,
            Map.of(),
            List.of(),
            timings,
            new PluginReading("1h:24", 48)),
        COSTS,
        0.01);
  }
}
