package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunsTest {
  @Test
  void medianIsTheMiddleRunWhateverTheOrder() {
    assertThat(runs(List.of(9.0, 1.0, 2.0)).median()).isEqualTo(2);
    assertThat(runs(List.of(7.0)).median()).isEqualTo(7);
  }

  @Test
  void medianOfAnEvenNumberIsBetweenTheTwoMiddleRuns() {
    assertThat(runs(List.of(9.0, 1.0, 2.0, 4.0)).median()).isEqualTo(3);
  }

  @Test
  void knowsFastestAndSlowest() {
    Runs runs = runs(List.of(9.0, 1.0, 2.0));

    assertThat(runs.min()).isEqualTo(1);
    assertThat(runs.max()).isEqualTo(9);
  }

  @Test
  void noRunIsAnError() {
    assertThatThrownBy(() -> runs(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found none");
  }

  private static Runs runs(List<Double> millis) {
    return new Runs(new Answer(new TreeMap<>()), millis);
  }
}
