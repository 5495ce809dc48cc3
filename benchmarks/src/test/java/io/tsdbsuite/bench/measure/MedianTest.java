package io.tsdbsuite.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {
  @Test
  void isTheMiddleInAnyOrder() {
    assertThat(Median.of(List.of(7.0))).isEqualTo(7);
    assertThat(Median.of(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Median.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
  }
}
