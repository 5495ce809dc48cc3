package io.tsdbsuite.rollup.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.rollup.pack.PackFloors.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PackFloorsTest {
  private static final long DAY = 86_400;

  private final List<CoverageFloor> all = new ArrayList<>();

  private void floor(long day, String metrics) {
    all.add(new CoverageFloor("1h", "w" + all.size(), day * DAY, metrics, "e", 1));
  }

  private PackFloors floors() {
    return floors("1h");
  }

  private PackFloors floors(String interval) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum":0, "count":1, "min":2, "max":3}, "intervals": [
               {"table":"t","preAggregationTable":"t","interval":"1m","rowSpan":"1h",
                "defaultInterval":true},
               {"table":"h","preAggregationTable":"h","interval":"1h","rowSpan":"1d"},
               {"table":"d","preAggregationTable":"d","interval":"1d","rowSpan":"1n"}]}
            """);
    return PackFloors.of(Objects.requireNonNull(config.interval(interval)), all, 5);
  }

  private static TimeRanges days(long from, long to) {
    return TimeRanges.of(from * DAY, to * DAY);
  }

  private static Part part(long from, long to, String metrics) {
    return new Part(from * DAY, to * DAY, metrics);
  }

  @Test
  void eachWindowLeavesOutTheMetricsOfHigherFloors() {
    all.add(new CoverageFloor("raw", "w", 90 * DAY, "*", "e", 1));
    assertThat(floors().ofAll()).isZero();
    assertThat(floors().parts(days(0, 9))).containsExactly(part(0, 9, "*"));
    floor(3, "web.*,sys.cpu");
    floor(5, "app.*");
    floor(5, "web.*");
    assertThat(floors().ofAll()).isZero();
    assertThat(floors().parts(days(0, 4).plus(days(5, 9))))
        .containsExactly(
            part(0, 3, "*,!app.*,!sys.cpu,!web.*"), part(3, 4, "*,!app.*,!web.*"), part(5, 9, "*"));
    for (Part part : floors().parts(days(0, 9))) {
      CoverageWindow window =
          CoverageWindow.of("1h.packed", part.from(), part.to(), "w", "t", 1, part.metrics(), "e");
      for (CoverageFloor each : all) {
        MetricPatterns metrics = MetricPatterns.of(Arrays.asList(each.metrics().split(",", -1)));
        assertThat(each.level().equals("1h") && window.mayShare(metrics))
            .isEqualTo(each.level().equals("1h") && each.before() <= part.from());
      }
    }
  }

  /** No window can leave them out. */
  @Test
  void floorsOfAllMetricsAndManyPatternsAreBelowAllWindows() {
    floor(3, "*");
    floor(2, "*,!web.*");
    floor(8, "app.*");
    assertThat(floors().ofAll()).isEqualTo(3 * DAY);
    floor(4, "!web.*");
    assertThat(floors().ofAll()).isEqualTo(4 * DAY);
    for (int i = 0; i < 95; i++) {
      floor(7, "m" + i);
    }
    assertThat(floors().ofAll()).isEqualTo(4 * DAY);
    floor(7, "a,b,c,d,e");
    assertThat(floors().ofAll()).isEqualTo(8 * DAY);
  }

  /** No row of the coverage has a longer text. */
  @Test
  void longPatternsAreBelowAllWindows() {
    String name = "m".repeat(2040);
    floor(3, "a" + name);
    floor(5, "b" + name);
    assertThat(floors().ofAll()).isZero();
    floor(4, "c" + name);
    assertThat(floors().ofAll()).isEqualTo(5 * DAY);
  }

  /** A row that begins below a floor was not compared, also what is above the floor. */
  @Test
  void windowsBeginWhereRowsBegin() {
    all.add(new CoverageFloor("1d", "a", 3 * DAY, "web.*", "e", 1));
    all.add(new CoverageFloor("1d", "b", 40 * DAY, "*", "e", 1));
    // January has 31 days, February of 1970 28.
    assertThat(floors("1d").ofAll()).isEqualTo(59 * DAY);
    all.remove(1);
    assertThat(floors("1d").parts(days(0, 50)))
        .containsExactly(part(0, 31, "*,!web.*"), part(31, 50, "*"));
    assertThat(floors("1d").ofMetrics("1d").of("web.a")).isEqualTo(31 * DAY);
  }
}
