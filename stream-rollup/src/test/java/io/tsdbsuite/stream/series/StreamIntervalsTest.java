package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamIntervalsTest {
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "10m", "preAggregationTable": "agg-10m", "interval": "10m", "rowSpan": "1d"},
            {"table": "1h", "preAggregationTable": "agg-1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "5h", "preAggregationTable": "agg-5h", "interval": "5h", "rowSpan": "1n"},
            {"table": "6h", "preAggregationTable": "agg-6h", "interval": "6h", "rowSpan": "1n"},
            {"table": "1d", "preAggregationTable": "agg-1d", "interval": "1d", "rowSpan": "1y"}]}
          """);

  private static final int DAY = 1763510400;
  private static final int SLACK = 120;

  private static StreamIntervals of(int slack, String... names) {
    return new StreamIntervals(
        Arrays.stream(names).map(CONFIG::interval).toList(),
        slack,
        2400,
        SuiteConfig.NONE,
        HistogramCodecs.NONE);
  }

  /** A day of rollups of 100,000 series: the hour after midnight is the busiest. */
  @Test
  void noSecondHasTwiceTheMean() {
    StreamIntervals intervals = of(SLACK, "1d", "10m", "1h");
    Random random = Seed.random();
    int[] seconds = new int[3 * 86400];
    long rollups = 0;
    for (int series = 0; series < 100_000; series++) {
      long hash = random.nextLong();
      for (int i = 0; i < intervals.size(); i++) {
        // The hour from midnight on stands for the day: it has one of each day's ends.
        for (int start = DAY - intervals.seconds(i);
            start < DAY + 3600 - intervals.seconds(i) || start == DAY - intervals.seconds(i);
            start += intervals.seconds(i)) {
          seconds[intervals.due(i, start, hash) - DAY + 86400]++;
          rollups++;
        }
      }
    }
    int busiest = Arrays.stream(seconds).max().orElse(0);
    assertThat(rollups).isEqualTo(100_000L * (6 + 1 + 1));
    assertThat(busiest / (rollups / 3600.0)).isBetween(1.0, 2.0);
  }

  @Test
  void theNarrowestIsFirst() {
    StreamIntervals intervals = of(SLACK, "1d", "10m", "6h", "1h");
    assertThat(IntStream.range(0, intervals.size()).mapToObj(intervals::name))
        .containsExactly("10m", "1h", "6h", "1d");
    assertThat(intervals.start(2, DAY + 86399)).isEqualTo(DAY + 18 * 3600);
    assertThat(intervals.completeTo(2, DAY + 6 * 3600 + 2519)).isEqualTo(DAY);
    assertThat(intervals.completeTo(2, DAY + 6 * 3600 + 2520)).isEqualTo(DAY + 6 * 3600);
    assertThat(intervals.start(3, DAY + 86399)).isEqualTo(DAY);
  }

  @Test
  void whatEverySeriesHasEmitted() {
    StreamIntervals intervals = of(SLACK, "10m");
    // The last series emits at the start of the next bucket but one.
    assertThat(intervals.completeTo(0, DAY + 599)).isEqualTo(DAY - 600);
    assertThat(intervals.completeTo(0, DAY + 600)).isEqualTo(DAY);
    for (long hash : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 479 * 2 + 1}) {
      assertThat(intervals.due(0, DAY - 600, hash)).isBetween(DAY + SLACK, DAY + 600);
    }
  }

  @Test
  void rulesOfTheIntervals() {
    assertThatThrownBy(() -> of(SLACK, "5h"))
        .hasMessage(
            "interval must divide the hour, or be whole hours that divide the day, found 5h");
    assertThatThrownBy(() -> of(201, "10m"))
        .hasMessage("slack must be 0 s to a third of each interval, found 201 s with 10m");
    assertThatThrownBy(() -> of(SLACK)).hasMessage("1 to 32 intervals are possible, found 0");
  }
}
