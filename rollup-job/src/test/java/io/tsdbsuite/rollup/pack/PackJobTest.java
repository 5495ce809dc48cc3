package io.tsdbsuite.rollup.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.input.Window;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PackJobTest {
  private static final long DAY = 86_400;

  private static CoverageWindow window(String level, long from, long to, String table) {
    return CoverageWindow.of(level, from * DAY, to * DAY, "w", table, 1, "*", "e");
  }

  private static TimeRanges unselected(String suite, CoverageWindow... windows) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum":0, "count":1, "min":2, "max":3, "p99":4}, "intervals": [
               {"table":"t","preAggregationTable":"t","interval":"1m","rowSpan":"1h",
                "defaultInterval":true},
               {"table":"h","preAggregationTable":"h","interval":"1h","rowSpan":"1d"},
               {"table":"d","preAggregationTable":"d","interval":"1d","rowSpan":"1n"}],
             "suite": {"packed": {"1h":"x"}%s}}
            """
                .formatted(suite));
    PackOptions options =
        new PackOptions(
            StorageSchema.defaults(),
            config,
            Objects.requireNonNull(config.level("1h.packed")),
            new Window(10 * DAY, 20 * DAY),
            "file:///root",
            "packed",
            "plain",
            "file:///hfiles",
            null,
            false);
    return PackJob.unselected(options, List.of(windows));
  }

  /** TSDs read p99 of them from packed rows, whatever suite selects today. */
  @Test
  void timesOfValuesThatAreNotPackedAreNotProven() {
    CoverageWindow p99 = window("1h.p99", 5, 12, "h");
    CoverageWindow[] all = {
      p99,
      window("1h.p99", 18, 30, "h"),
      window("1h.p99", 13, 14, "old"),
      window("1h", 10, 20, "h"),
      window("1h.packed", 10, 20, "x"),
      window("1h.histogram", 10, 20, "y"),
      window("1d.p99", 10, 20, "d")
    };
    assertThat(unselected("", all))
        .isEqualTo(TimeRanges.of(10 * DAY, 12 * DAY).plus(TimeRanges.of(18 * DAY, 20 * DAY)));
    String selects =
        """
        , "values": [{"metrics": "web.*", "intervals": "1h", "aggregators": "p99"}]\
        """;
    assertThat(unselected(selects, all)).isEqualTo(TimeRanges.none());
    assertThat(unselected(selects.replace("1h", "1d"), p99).isEmpty()).isFalse();
  }
}
