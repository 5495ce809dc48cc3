package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RollupIntervalsTest {
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "intervals": [
            {"table": "t0", "preAggregationTable": "p0", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "10m", "rowSpan": "1d",
             "delaySla": "2h"},
            {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d",
             "delaySla": "2h"},
            {"table": "t3", "preAggregationTable": "p3", "interval": "60m", "rowSpan": "1d"},
            {"table": "t4", "preAggregationTable": "p4", "interval": "2h", "rowSpan": "1d"},
            {"table": "t5", "preAggregationTable": "p5", "interval": "1d", "rowSpan": "1n"},
            {"table": "t6", "preAggregationTable": "p6", "interval": "6h", "rowSpan": "1n"},
            {"table": "t7", "preAggregationTable": "p7", "interval": "5h", "rowSpan": "1n"},
            {"table": "t8", "preAggregationTable": "p8", "interval": "90m", "rowSpan": "1n"},
            {"table": "t9", "preAggregationTable": "p9", "interval": "2d", "rowSpan": "1y"}]}
          """);

  private static RollupIntervals of(String... intervals) {
    return new RollupIntervals(Stream.of(intervals).map(CONFIG::interval).toList());
  }

  @Test
  void areInTheOrderOfTheirLengths() {
    RollupIntervals all = of("1d", "1h", "6h", "10m", "2h");
    assertThat(all.text()).isEqualTo("10m,1h,2h,6h,1d");
    assertThat(all.ofHour()).extracting(RollupInterval::interval).containsExactly("10m", "1h");
    assertThat(all.ofDay()).extracting(RollupInterval::interval).containsExactly("2h", "6h", "1d");
    assertThat(all.needsDays()).isTrue();
    assertThat(of("1h").needsDays()).isFalse();
    assertThat(of("1h").ofDay()).isEmpty();
    assertThat(of("1d").ofHour()).isEmpty();
    assertThat(of("6h").needsDays()).isTrue();
  }

  @Test
  void estimatesTheRollupsOfARow() {
    assertThat(of("10m", "1h").perRow()).isEqualTo(7);
    assertThat(of("1d").perRow()).isEqualTo(1.0 / 24);
  }

  @Test
  void refusesWhatCannotBeOnePass() {
    for (String[] wrong : new String[][] {{}, {"5h"}, {"90m"}, {"2d"}, {"1h", "60m"}}) {
      assertThatThrownBy(() -> of(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("divide the hour, or be whole hours that divide the day");
    }
  }

  /** Intervals that the run does not make are not named. */
  @Test
  void saysWhatRollupsHaveBesideTheFourValues() {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 5, "p99": 6},
             "intervals": [
              {"table": "t0", "preAggregationTable": "p0", "interval": "1s", "rowSpan": "1h",
               "defaultInterval": true},
              {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d"},
              {"table": "t6", "preAggregationTable": "p6", "interval": "6h", "rowSpan": "1n"},
              {"table": "t5", "preAggregationTable": "p5", "interval": "1d", "rowSpan": "1n"}],
             "suite": {
              "values": [{"metrics": "a", "intervals": "1h,6h", "aggregators": "p99,p50"}],
              "histograms": [{"metrics": "b", "intervals": "1h,1d"}],
              "histogramTables": {"1h": "h1", "1d": "h2"}}}
            """);
    Map<String, String> texts =
        Map.of(
            "1h,6h,1d", "p50,p99 of 1h; p50,p99 of 6h; histograms of 1h,1d",
            "6h,1d", "p50,p99 of 6h; histograms of 1d",
            "1d", "histograms of 1d",
            "6h", "p50,p99 of 6h");
    texts.forEach(
        (intervals, text) ->
            assertThat(
                    new RollupIntervals(
                            Stream.of(intervals.split(",", -1)).map(config::interval).toList(),
                            config.suite(),
                            HistogramCodecs.NONE)
                        .furtherText())
                .isEqualTo(text));
    assertThat(of("1h").furtherText()).isEmpty();
  }
}
