package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryQueueTest {
  private static OwedSeries owed(int number, long points) {
    return OwedSeries.counter(Series.of(number), points);
  }

  @Test
  void mergesPerSeriesAndIsBounded() {
    RetryQueue retryQueue = new RetryQueue(2, new Losses(new Counters(), new FakeClock()));
    assertThat(retryQueue.add(owed(1, 5))).isTrue();
    assertThat(retryQueue.add(owed(2, 6))).isTrue();
    assertThat(retryQueue.add(owed(3, 7))).as("there is no room").isFalse();
    assertThat(retryQueue.add(owed(1, 8))).as("it is in already").isTrue();
    assertThat(retryQueue.points()).isEqualTo(19);
    retryQueue.addAgain(owed(3, 7));
    assertThat(retryQueue.size()).isEqualTo(3);
    assertThat(retryQueue.take(new Tsuid(Series.of(1))).points()).isEqualTo(13);
    assertThat(retryQueue.take(new Tsuid(Series.of(1)))).isNull();
    assertThat(retryQueue.points()).isEqualTo(13);
  }

  @Test
  void remembersThatATsMetaIsMissing() {
    RetryQueue retryQueue = new RetryQueue(1, new Losses(new Counters(), new FakeClock()));
    retryQueue.add(OwedSeries.tsMeta(Series.of(1)));
    retryQueue.add(owed(1, 3));
    OwedSeries series = retryQueue.take(new Tsuid(Series.of(1)));
    assertThat(series.tsMeta()).isTrue();
    assertThat(series.points()).isEqualTo(3);
  }
}
