package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PointRateTest {
  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();

  private PointRate rate(double pointsPerSecond) {
    return new PointRate(pointsPerSecond, ticker);
  }

  /** At the old rate the second message would wait for 2.8 hours. */
  @Test
  void aHigherRateAlsoHoldsForTheMessageThatWaits() {
    PointRate rate = rate(1);
    assertThat(rate.tryAcquire(10_000)).isTrue();
    assertThat(rate.tryAcquire(1)).isFalse();
    rate.set(1_000_000);
    ticker.add(20);
    assertThat(rate.tryAcquire(1)).isTrue();
  }

  @Test
  void aLowerRateHoldsNoMessageLongerThanTheOldOne() {
    PointRate rate = rate(1_000_000);
    assertThat(rate.tryAcquire(500_000)).isTrue();
    rate.set(1);
    ticker.add(501);
    assertThat(rate.tryAcquire(10)).isTrue();
    ticker.add(9_000);
    assertThat(rate.tryAcquire(1)).describedAs("the new rate").isFalse();
    ticker.add(1_001);
    assertThat(rate.tryAcquire(1)).isTrue();
  }

  @Test
  void zeroStopsAndTheNextRateStartsAtOnce() {
    PointRate rate = rate(1);
    assertThat(rate.tryAcquire(10_000)).isTrue();
    rate.set(0);
    ticker.add(1_000_000_000);
    assertThat(rate.tryAcquire(0)).isFalse();
    rate.set(10);
    assertThat(rate.tryAcquire(1)).isTrue();
  }

  @Test
  void keepsTheRateAndThePointsOfOneSecondAtMost() {
    PointRate rate = rate(100);
    ticker.add(3_600_000);
    int acquired = 0;
    for (int i = 0; i < 10_000; i++) {
      acquired += rate.tryAcquire(10) ? 10 : 0;
      ticker.add(1);
    }
    assertThat(acquired).isBetween(1_000, 1_120);
  }
}
