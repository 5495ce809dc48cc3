package io.tsdbsuite.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void waysHaveTheirTurnsWithTheOrderReversedAndWithoutTheWarmUp() throws Exception {
    List<String> order = new ArrayList<>();
    List<Samples<Double>> all =
        Samples.of(1, 2, List.of(way("first", order, 1), way("second", order, 10)));

    assertThat(order).containsExactly("second", "first", "first", "second", "second", "first");
    assertThat(all).extracting(Samples::name).containsExactly("first", "second");
    assertThat(all.get(0).all()).containsExactly(2.0, 3.0);
    assertThat(all.get(1).all()).containsExactly(20.0, 30.0);
    Way<Double> bad =
        new Way<>(
            "bad",
            () -> {
              throw new IOException("no");
            });
    assertThatThrownBy(() -> Samples.of(0, 1, List.of(bad))).isInstanceOf(IOException.class);
  }

  private static Way<Double> way(String name, List<String> order, double cost) {
    return new Way<>(
        name,
        () -> {
          order.add(name);
          int round = (order.size() + 1) / 2;
          return cost * round;
        });
  }

  @Test
  void comparesRoundByRound() {
    Samples<Double> off = new Samples<>("off", List.of(1.0, 2.0, 4.0));
    Samples<Double> on = new Samples<>("on", List.of(1.1, 2.6, 4.0));

    assertThat(on.over(off, value -> value)).isEqualTo("1.10 (1.00..1.30)");
    assertThat(on.median(value -> value)).isEqualTo(2.6);
    assertThat(off.range(value -> 1000 / value)).isEqualTo("250..1,000");
    assertThat(off.sum(value -> value)).isEqualTo(7);
  }

  @Test
  void theOrderIsTurnedRound() {
    assertThat(Samples.turned(List.of(1, 2, 3), 0)).containsExactly(1, 2, 3);
    assertThat(Samples.turned(List.of(1, 2, 3), -1)).containsExactly(3, 2, 1);
    assertThat(Samples.turned(List.of(1, 2, 3), 1)).containsExactly(3, 2, 1);
  }
}
