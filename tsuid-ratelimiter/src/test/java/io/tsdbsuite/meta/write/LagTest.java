package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LagTest {
  @Test
  void growsWhileWritesAreBehindAndEndsWhenNoneIsAnyMore() {
    Lag lag = new Lag();
    assertThat(lag.seconds(0)).isZero();
    lag.behind(100, 130);
    assertThat(lag.seconds(110)).isEqualTo(10);
    lag.behind(120, 150);
    assertThat(lag.seconds(150)).isEqualTo(50);
    assertThat(lag.seconds(151)).isZero();
    lag.behind(200, 210);
    assertThat(lag.seconds(205)).isEqualTo(5);
  }
}
