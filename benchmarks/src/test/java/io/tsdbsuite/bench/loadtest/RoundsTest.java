package io.tsdbsuite.bench.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
  @Test
  void comparesRoundByRound() {
    Rounds off = rounds(1, 2, 4);
    Rounds on = rounds(1.1, 2.6, 4);

    assertThat(on.over(off, Sample::tsdCpu)).isEqualTo("1.10 (1.00..1.30)");
    assertThat(on.median(Sample::tsdCpu)).isEqualTo(2.6);
    assertThat(off.range(Sample::rate)).isEqualTo("500..500");
  }

  @Test
  void comparesAllRoundsTogether() {
    assertThat(rounds(1, 5).tsdOver(rounds(2, 2))).isCloseTo(1.5, within(1e-9));
  }

  @Test
  void theOrderIsTurnedRound() {
    assertThat(Turns.of(List.of(1, 2, 3), 0)).containsExactly(1, 2, 3);
    assertThat(Turns.of(List.of(1, 2, 3), -1)).containsExactly(3, 2, 1);
    assertThat(Turns.of(List.of(1, 2, 3), 1)).containsExactly(3, 2, 1);
  }

  @Test
  void theBusiestSecondIsComparedWithTheMean() {
    Busiest busiest = new Busiest(100);
    assertThat(busiest.overMean()).isZero();

    for (long count : new long[] {110, 140, 140, 160}) {
      busiest.second(count);
    }

    assertThat(busiest.overMean()).isCloseTo(2, within(1e-9));
  }

  private static Rounds rounds(double... tsdCpu) {
    Rounds rounds = new Rounds(Setup.OFF);
    for (double cpu : tsdCpu) {
      Requests none = new Requests(0, 0);
      rounds.add(new Sample(1000, 0, 2, cpu, 0, 0, none, none, 0));
    }
    return rounds;
  }
}
