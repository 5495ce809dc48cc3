package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CellIdentityTest {
  private static final String ROLLUP =
      "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'1','b':'2'},"
          + "'timestamp':7200,'interval':'1h','values':{'sum':1}}";
  private static final String AGGREGATE =
      "{'type':'Aggregate','metric':'m','tags':{'a':'1','b':'2'},"
          + "'timestamp':7200,'interval':'1h','aggregator':'SUM','value':1}";
  private static final String METRIC =
      "{'type':'Metric','metric':'m','tags':{'a':'1','b':'2'},'timestamp':7200,'value':1}";

  /** The cells of a message: numbers, each with one bit. */
  private List<List<Long>> ids(String message) throws Exception {
    CellIds cells = TestCells.of(message);
    List<List<Long>> ids = new ArrayList<>();
    for (int i = 0; i < cells.elements(); i++) {
      for (long bits = cells.bits(i); bits != 0; bits &= bits - 1) {
        ids.add(List.of(cells.id(i), Long.lowestOneBit(bits)));
      }
    }
    return ids;
  }

  static List<String> spellings() {
    return List.of(
        ROLLUP.replace("'sum':1", "'SUM':70000"),
        ROLLUP.replace("'a':'1','b':'2'", "'b':'2','a':'1'"),
        AGGREGATE,
        AGGREGATE.replace("'value':1", "'value':70000"),
        AGGREGATE.replace("SUM", "sum"),
        // An Aggregate's time is rounded down, as the TSD does.
        AGGREGATE.replace("7200", "10799"));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  void oneCellHasOneNumberHoweverItIsSpelled(String same) throws Exception {
    assertThat(ids(same)).hasSize(1).isEqualTo(ids(ROLLUP));
  }

  @Test
  void rollupsOfVersion3HaveTheNumbersThatTheyHaveAlone() throws Exception {
    String four = "'sum':1,'min':1,'max':1,'count':1";
    String arrays =
        ROLLUP
            .replaceFirst("'v':1", "'v':3,'asOf':1763600000000,'gone':[1]")
            .replace("'sum':1", "'sum':[1],'min':[1],'max':[1],'count':[1]");
    List<List<Long>> expected = new ArrayList<>(ids(ROLLUP.replace("'sum':1", four)));
    expected.addAll(ids(ROLLUP.replace("'sum':1", "").replace("7200", "10800")));
    assertThat(ids(arrays)).isEqualTo(expected);
  }

  @Test
  void cellsOfOneMessageHaveTheNumbersThatTheyHaveAlone() throws Exception {
    List<List<Long>> sum = ids(ROLLUP);
    assertThat(sum).hasSize(1);
    assertThat(ids(ROLLUP.replace("'sum':1", "'count':1,'sum':1")))
        .hasSize(2)
        .contains(sum.get(0), ids(AGGREGATE.replace("SUM", "COUNT")).get(0));
    assertThat(ids(ROLLUP.replace("'sum':1", "")))
        .describedAs("a deletion is of every aggregator, and the histogram")
        .hasSize(5)
        .contains(sum.get(0), ids(AGGREGATE.replace("SUM", "COUNT")).get(0));
    String grouped = AGGREGATE.replace("'interval'", "'groupByAggregator':'MAX','interval'");
    assertThat(ids(grouped.replace("MAX", "max"))).isEqualTo(ids(grouped));
    assertThat(ids(grouped.replace("{'a'", "{'_aggregate':'max','a'"))).isEqualTo(ids(grouped));
  }

  @Test
  void furtherAggregatorsAndTheHistogramHaveNumbersOfTheirOwn() throws Exception {
    String histogram = "'v':2,'histogram':{'codec':'c','value':'AA=='}";
    String further =
        ROLLUP
            .replace("'v':1", histogram)
            .replace("'sum':1", "'sum':1,'min':1,'max':1,'count':1,'p99':1,'first':1");
    Set<List<Long>> ids = new HashSet<>(ids(further));
    assertThat(ids).hasSize(5).containsAll(ids(ROLLUP));
    assertThat(ids).containsAll(ids(AGGREGATE.replace("SUM", "P99")));
    assertThat(ids).containsAll(ids(AGGREGATE.replace("SUM", "first")));
    assertThat(new HashSet<>(ids(ROLLUP.replace("'sum':1", "")))).isEqualTo(ids);
    assertThat(new HashSet<>(ids(ROLLUP.replace("'v':1", histogram).replace("'sum':1", ""))))
        .describedAs("a histogram alone deletes the values")
        .isEqualTo(ids);
  }

  @Test
  void otherCellsHaveOthers() throws Exception {
    Set<List<Long>> ids = new HashSet<>();
    String grouped = AGGREGATE.replace("'interval'", "'groupByAggregator':'MAX','interval'");
    List<String> others =
        List.of(
            ROLLUP,
            ROLLUP.replace("7200", "10800"),
            ROLLUP.replace("1h", "10m"),
            ROLLUP.replace("'1'", "'2'"),
            ROLLUP.replace("'m'", "'n'"),
            AGGREGATE.replace("SUM", "COUNT"),
            grouped,
            grouped.replace("MAX", "MIN"),
            grouped.replace("'interval':'1h',", ""),
            METRIC,
            METRIC.replace("Metric", "Histogram").replace("'value':1", "'buckets':{'0,1':1}"),
            METRIC
                .replace("Metric", "RollupRequest")
                .replace("'value':1", "'v':1,'intervals':['1h'],'reason':'late'"));
    for (String other : others) {
      ids.addAll(ids(other));
    }
    assertThat(ids).hasSize(others.size());
  }

  @Test
  void elementsWithoutACellAreCounted() throws Exception {
    CellIds cells =
        TestCells.of("[5," + ROLLUP.replace("1h", "60m") + "," + ROLLUP + ",null," + METRIC + "]");
    assertThat(cells.elements()).isEqualTo(5);
    List<Integer> cellsOfEach = new ArrayList<>();
    for (int i = 0; i < cells.elements(); i++) {
      cellsOfEach.add(Long.bitCount(cells.bits(i)));
    }
    assertThat(cellsOfEach).containsExactly(0, 0, 1, 0, 1);
  }
}
