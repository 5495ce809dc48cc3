package io.tsdbsuite.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "max": 4}, "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "t7h", "preAggregationTable": "t7h", "interval": "7h", "rowSpan": "1n"},
            {"table": "t1d", "preAggregationTable": "t1d", "interval": "1d", "rowSpan": "1y"}]}
          """);

  private final Map<String, TimeRanges> coverage =
      Map.of("1h", TimeRanges.of(0, 20 * DAY), "1d", TimeRanges.of(2 * DAY, 10 * DAY));

  @Test
  void whatRollupsCannotAnswerExactlyReadsRawData() {
    assertThat(rawOnly(sub("1h-dev"))).isEqualTo("dev does not follow from rollups");
    assertThat(rawOnly(sub("1h-first"))).isEqualTo("first does not follow from rollups");
    assertThat(rawOnly(sub("1h-p99"))).isEqualTo("p99 does not follow from rollups");
    assertThat(rawOnly(sub("1h-min"))).isEqualTo("rollup_config has no id for [min]");
    assertThat(rawOnly(sub(null))).isEqualTo("not downsampled");
    TSSubQuery raw = sub("1h-sum");
    raw.setRollupUsage("ROLLUP_RAW");
    assertThat(rawOnly(raw)).isEqualTo("rollupUsage is ROLLUP_RAW");
    TSSubQuery percentiles = sub("1h-sum");
    percentiles.setPercentiles(new java.util.ArrayList<>(List.of(99f)));
    assertThat(rawOnly(percentiles)).startsWith("percentiles");
  }

  @Test
  void allOthersReadRollups() {
    for (String function : List.of("sum", "zimsum", "pfsum", "max", "mimmax", "count", "avg")) {
      assertThat(rawOnly(sub("1h-" + function))).as(function).isNull();
    }
  }

  @Test
  void theWidestTablesInsideTheCoverageAreRead() {
    assertThat(plan(sub("1d-sum"), HOUR / 2, 22 * DAY)).hasToString("1h:287 1d:8 raw:174600s");
    assertThat(plan(sub("2h-avg"), 0, 2 * HOUR)).hasToString("1h:2 raw:0s");
  }

  @Test
  void reasonsForRawDataOfTheTimes() {
    assertThat(plan(sub("30m-sum"), 0, DAY))
        .hasToString("raw (no table is as fine as the downsampler)");
    assertThat(plan(sub("1h-sum"), 21 * DAY, 22 * DAY))
        .hasToString("raw (no proven rollups lie inside a bucket)");
    assertThat(plan(sub("2wc-sum"), 0, 60 * DAY))
        .hasToString("raw (the buckets of this calendar depend on the first point)");
    assertThat(
            new Planner(new RollupTables(CONFIG), (interval, width, metric) -> TimeRanges.none())
                .plan(sub("1h-sum"), "m", 0, DAY, 0, DAY, new CellCosts(1, 360, 200)))
        .hasToString("raw (no rollups are proven to be stored)");
  }

  @Test
  void intervalsThatDoNotDivideTheDayAreNotRead() {
    assertThat(new RollupTables(CONFIG).intervals())
        .extracting("interval")
        .containsExactly("1h", "1d");
  }

  private String rawOnly(TSSubQuery sub) {
    return planner().rawOnly(sub);
  }

  private PlannedPieces plan(TSSubQuery sub, long from, long to) {
    return planner().plan(sub, "m", from, to, from, to, new CellCosts(1, 360, 20));
  }

  private Planner planner() {
    return new Planner(
        new RollupTables(CONFIG), (interval, width, metric) -> coverage.get(interval));
  }

  private static TSSubQuery sub(String downsample) {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("m");
    sub.setDownsample(downsample);
    TSQuery query = new TSQuery();
    query.setStart("1");
    query.setEnd("2");
    query.setQueries(new java.util.ArrayList<>(List.of(sub)));
    query.validateAndSetQuery();
    return sub;
  }
}
