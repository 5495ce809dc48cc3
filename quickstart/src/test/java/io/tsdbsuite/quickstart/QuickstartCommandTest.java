package io.tsdbsuite.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class QuickstartCommandTest {
  @Test
  void hasDefaults() {
    QuickstartCommand command = parsed();

    assertThat(command.keep).isFalse();
    assertThat(command.series).isEqualTo(20);
    assertThat(command.days).isEqualTo(365);
    assertThat(command.problems()).isEmpty();
  }

  @Test
  void tellsAllValuesOutOfRange() {
    assertThat(parsed("--series", "0", "--days=367").problems())
        .containsExactly(
            "--series must be 1 to 200, found 0", "--days must be 1 to 366, found 367");
  }

  @Test
  void refusesMoreThanTheServersHold() {
    assertThat(parsed("--series=200", "--days=40").problems())
        .containsExactly("--series times --days must be at most 7320, found 200 times 40");
    assertThat(parsed("--series=20", "--days=366").problems()).isEmpty();
  }

  @Test
  void refusesUnknownOptions() {
    assertThatThrownBy(() -> parsed("--keeep"))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("--keeep");
  }

  private static QuickstartCommand parsed(String... args) {
    QuickstartCommand command = new QuickstartCommand();
    new CommandLine(command).parseArgs(args);
    return command;
  }
}
