package io.tsdbsuite.bench.meta;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WayTest {
  private static final int INTERVAL = 15;

  private final Shape shape = new Shape(2000, 20);
  private final SimulatedTime time = new SimulatedTime();

  private void report(Way way, int seconds) {
    for (int past = 0; past < seconds; past += INTERVAL) {
      for (int i = 0; i < shape.series(); i++) {
        way.increment(shape.tsuid(i));
      }
      time.pass(INTERVAL);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneWritePerSeriesAndTtl(WayKind kind) {
    Way way = kind.create(2L * shape.series(), time);
    report(way, INTERVAL);
    assertThat(way.writes()).isEqualTo(shape.series());
    assertThat(way.series()).isEqualTo(shape.series());
    // The suite's second write comes at a second of the series' own, within the first TTL.
    report(way, WayKind.TTL_SECONDS);
    long before = way.writes();
    report(way, 3 * WayKind.TTL_SECONDS);
    assertThat(way.writes() - before).isEqualTo(3L * shape.series());
  }

  @ParameterizedTest
  @EnumSource
  void missesAreCountedFromTheStart(WayKind kind) {
    Way way = kind.create(2L * shape.series(), time);
    report(way, 2 * INTERVAL);
    assertThat(way.misses()).isEqualTo(shape.series());
  }

  @ParameterizedTest
  @EnumSource
  void tooManySeriesMissInEveryRound(WayKind kind) {
    Way way = kind.create(shape.series() / 2, time);
    report(way, 10 * INTERVAL);
    assertThat(way.misses()).isGreaterThan(4L * shape.series());
  }
}
