package io.tsdbsuite.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrialTest {
  /** A suite that takes a share and a number of rounds. */
  private static final class Fake implements Suite {
    @Override
    public String question() {
      return "How much?";
    }

    @Override
    public String peer() {
      return "nothing";
    }

    @Override
    public List<String> parts() {
      return List.of("one", "two");
    }

    @Override
    public List<String> numbers() {
      return List.of("SCALE", "ROUNDS");
    }

    @Override
    public void run(Trial trial, Report report) {
      report.fact("Medians of %.0f rounds", trial.second(5));
      report.atMost("aim", "x", 2, 1.5);
      report.table("Part | Count");
      trial.parts().forEach(part -> report.row("%s | %,d", part, trial.scaled(100_000, 1000)));
    }
  }

  private final Fake suite = new Fake();

  @Test
  void withoutArgumentsAllIsMeasured() {
    Trial whole = Trial.of(suite, List.of());

    assertThat(whole.whole()).isTrue();
    assertThat(whole.parts()).containsExactly("one", "two");
    assertThat(section(whole))
        .startsWith("Command: `make test`, ")
        .contains(
            "Medians of 5 rounds.\n\n| Aim |", "| aim | at most 2x | 1.5x | yes |\n\n| Part |")
        .endsWith("| one | 100,000 |\n| two | 100,000 |\n");
  }

  @Test
  void aTrialHasItsNumbersAndParts() {
    Trial trial = Trial.of(suite, List.of("0.01", "0", "two"));

    assertThat(trial.whole()).isFalse();
    assertThat(section(trial)).contains("of 0 rounds").endsWith("| --- | --- |\n| two | 1,000 |\n");
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThatThrownBy(() -> Trial.of(suite, List.of("1")))
        .hasMessage("arguments are [SCALE ROUNDS [PART...]], found [1]");
    assertThatThrownBy(() -> Trial.of(suite, List.of("-1", "2")))
        .hasMessage("SCALE must be a number of at least 0, found -1");
    assertThatThrownBy(() -> Trial.of(suite, List.of("1", "2", "three")))
        .hasMessage("parts are one, two, found three");
  }

  private String section(Trial trial) {
    Report report = new Report("make test");
    suite.run(trial, report);
    return report.section();
  }
}
