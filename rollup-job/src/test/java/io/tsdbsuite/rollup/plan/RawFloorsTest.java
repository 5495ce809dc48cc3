package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.metric.MetricPatterns;
import java.util.List;
import org.junit.jupiter.api.Test;

class RawFloorsTest {
  private static final long DAY = 86400;
  private static final long DAY0 = 1_700_006_400;

  private static final RawFloors FLOORS =
      RawFloors.of(
          List.of(
              floor("raw", "all", 0, "*,!app.*"),
              floor("1h", "hours", 9, "*"),
              floor("raw", "app", 2, "app.*,!app.debug.*"),
              floor("raw", "debug", 3, "app.debug.*")));

  private static CoverageFloor floor(String level, String writer, long day, String metrics) {
    return new CoverageFloor(level, writer, DAY0 + day * DAY, metrics, "a proof", 0);
  }

  private static long before(long day) {
    return DAY0 + day * DAY;
  }

  @Test
  void theHighestFloorOfRawDataOfAMetricCounts() {
    assertThat(FLOORS.known()).isTrue();
    assertThat(FLOORS.of("app.debug.a")).isEqualTo(before(3));
    assertThat(FLOORS.of("app.a")).isEqualTo(before(2));
    assertThat(FLOORS.of("web")).isEqualTo(before(0));
    assertThat(FLOORS.highest()).isEqualTo(before(3));
    RawFloors one = RawFloors.of(List.of(floor("raw", "a", 1, "app.*"), floor("1h", "a", 2, "*")));
    assertThat(one.of("web")).isZero();
    assertThat(one).hasToString("app.* before 2023-11-16T00:00:00Z");
  }

  @Test
  void withoutFloorsNothingIsGone() {
    RawFloors none = RawFloors.of(List.of(floor("1h", "a", 2, "*")));
    assertThat(none.known()).isTrue();
    assertThat(none.isEmpty()).isTrue();
    assertThat(none.of("app.a")).isZero();
    assertThat(none.highest()).isZero();
    assertThat(RawFloors.UNKNOWN.known()).isFalse();
    assertThat(RawFloors.UNKNOWN.isEmpty()).isTrue();
  }

  @Test
  void floorsAfterATimeThatMayBeOfSelectedMetrics() {
    assertThat(FLOORS.after(before(2), MetricPatterns.all()).floors())
        .extracting(RawFloors.Floor::metrics)
        .containsExactly("app.debug.*");
    assertThat(FLOORS.after(before(0) - 1, MetricPatterns.of(List.of("web"))).floors())
        .extracting(RawFloors.Floor::metrics)
        .containsExactly("*,!app.*");
  }
}
