package io.tsdbsuite.bench.meta;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WayTest {
  private static final int INTERVAL = 15;

  private final Shape shape = new Shape(2000, 20);
  private long nanos;
  private final Ticker time =
      new Ticker() {
        @Override
        public long read() {
          return nanos;
        }
      };

  private void report(MetaWay way, int seconds) {
    for (int past = 0; past < seconds; past += INTERVAL) {
      for (int i = 0; i < shape.series(); i++) {
        way.increment(shape.tsuid(i));
      }
      nanos += TimeUnit.SECONDS.toNanos(INTERVAL);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneWritePerSeriesAndTtl(MetaWay.Kind kind) {
    MetaWay way = kind.create(2L * shape.series(), time);
    report(way, INTERVAL);
    assertThat(way.writes.sum()).isEqualTo(shape.series());
    assertThat(way.series()).isEqualTo(shape.series());
    // The suite's second write comes at a second of the series' own, within the first TTL.
    report(way, MetaWay.TTL_SECONDS);
    long before = way.writes.sum();
    report(way, 3 * MetaWay.TTL_SECONDS);
    assertThat(way.writes.sum() - before).isEqualTo(3L * shape.series());
  }

  @ParameterizedTest
  @EnumSource
  void missesAreCountedFromTheStart(MetaWay.Kind kind) {
    MetaWay way = kind.create(2L * shape.series(), time);
    report(way, 2 * INTERVAL);
    assertThat(way.misses()).isEqualTo(shape.series());
  }

  @ParameterizedTest
  @EnumSource
  void tooManySeriesMissInEveryRound(MetaWay.Kind kind) {
    MetaWay way = kind.create(shape.series() / 2, time);
    report(way, 10 * INTERVAL);
    assertThat(way.misses()).isGreaterThan(4L * shape.series());
  }
}
