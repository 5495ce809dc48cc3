package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimingsTest {
  @Test
  void medianIsTheMiddleRunWhateverTheOrder() {
    assertThat(new Timings(List.of(9.0, 1.0, 2.0)).median()).isEqualTo(2);
    assertThat(new Timings(List.of(7.0)).median()).isEqualTo(7);
  }

  @Test
  void medianOfAnEvenNumberIsBetweenTheTwoMiddleRuns() {
    assertThat(new Timings(List.of(9.0, 1.0, 2.0, 4.0)).median()).isEqualTo(3);
  }

  @Test
  void knowsFastestAndSlowest() {
    Timings timings = new Timings(List.of(9.0, 1.0, 2.0));

    assertThat(timings.min()).isEqualTo(1);
    assertThat(timings.max()).isEqualTo(9);
  }

  @Test
  void noRunIsAnError() {
    assertThatThrownBy(() -> new Timings(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found none");
  }
}
