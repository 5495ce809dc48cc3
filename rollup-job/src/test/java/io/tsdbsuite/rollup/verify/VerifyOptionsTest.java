package io.tsdbsuite.rollup.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerifyOptionsTest {
  private static List<String> levels(@Nullable URI tsd, @Nullable String counted) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
            {"table":"t","preAggregationTable":"t","interval":"1m","rowSpan":"1h",
            "defaultInterval":true},
            {"table":"r1h","preAggregationTable":"r1h","interval":"1h","rowSpan":"1d"},
            {"table":"r1d","preAggregationTable":"r1d","interval":"1d","rowSpan":"1n"}],
            "suite":{"histograms":[{"metrics":"*","intervals":"1h"}],
            "histogramTables":{"1h":"h1h"},"packed":{"1h":"p1h","1d":"p1d"}}}
            """);
    VerifyOptions options =
        new VerifyOptions(
            "root",
            List.of(),
            tsd,
            1,
            new SeriesSample(1, 1, 0),
            Aggregators.of(config, HistogramCodecs.NONE),
            "*",
            List.of(),
            counted);
    RollupIntervals intervals =
        new RollupIntervals(
            List.of(
                Objects.requireNonNull(config.interval("1h")),
                Objects.requireNonNull(config.interval("1d"))),
            config.suite(),
            HistogramCodecs.NONE);
    assertThat(options.packed(intervals)).containsExactly("1h.packed", "1d.packed");
    return options.levels(intervals);
  }

  /** Of packed rows only {@code verify} has snapshots, which a proof of tiers does not need. */
  @Test
  void levelsOfEachComparison() {
    assertThat(levels(null, null))
        .containsExactly("1h", "1d", "1h.histogram", "1h.packed", "1d.packed");
    assertThat(levels(URI.create("http://h:1"), null)).containsExactly("1h", "1d");
    assertThat(levels(null, CoverageFloor.RAW)).containsExactly("1h", "1d", "1h.histogram");
    assertThat(levels(null, "1h")).containsExactly("1h", "1d");
  }
}
