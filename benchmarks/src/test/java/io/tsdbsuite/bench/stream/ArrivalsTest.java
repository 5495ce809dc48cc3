package io.tsdbsuite.bench.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals(new long[] {5, 10, 11, 19, 20, 21, 22, 35});

  @Test
  void spansBeginAtTheFirstInstantAndOnlyWholeOnesCount() {
    assertThat(arrivals.most(10, 40, 10)).isEqualTo(3);
    assertThat(arrivals.most(5, 25, 10)).isEqualTo(4);
    assertThat(arrivals.most(30, 45, 10)).isEqualTo(1);
    assertThat(arrivals.most(30, 35, 10)).isZero();
  }

  @Test
  void theEndIsNotCounted() {
    assertThat(arrivals.count(10, 20)).isEqualTo(3);
    assertThat(arrivals.count(10, 21)).isEqualTo(4);
  }
}
