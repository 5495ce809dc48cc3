package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void doublesOncePerWaitUpToSixteenTimes() {
    Backoff backoff = new Backoff(10);
    int now = 1000;
    for (int expected : new int[] {10, 20, 40, 80, 160, 160}) {
      for (int n = 0; n < 100; n++) {
        backoff.failed(now);
      }
      assertThat(backoff.seconds()).isEqualTo(expected);
      now += expected;
    }
  }

  @Test
  void startsAgainAfterASuccess() {
    Backoff backoff = new Backoff(10);
    backoff.failed(0);
    backoff.failed(10);
    assertThat(backoff.seconds()).isEqualTo(20);
    backoff.succeeded();
    assertThat(backoff.seconds()).isEqualTo(10);
    backoff.failed(11);
    backoff.failed(12);
    assertThat(backoff.seconds()).isEqualTo(10);
    backoff.succeeded();
    backoff.failed(1000);
    assertThat(backoff.seconds()).isEqualTo(10);
  }

  @Test
  void spreadsSeriesOverAWait() {
    Backoff backoff = new Backoff(100);
    boolean[] seen = new boolean[200];
    for (int n = 0; n < 10_000; n++) {
      seen[backoff.retryAt(Series.of(n), 0)] = true;
    }
    for (int second = 0; second < 200; second++) {
      assertThat(seen[second]).as("second %s", second).isEqualTo(second >= 100);
    }
  }
}
