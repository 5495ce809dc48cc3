package io.tsdbsuite.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class QuickstartTest {
  @Test
  void hasDefaults() {
    Quickstart command = parsed();

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

  /** docs/securing-a-tsd.md: OpenTSDB's pages allow anyone who reaches the port to run commands. */
  @Test
  void switchesThePagesOfEveryTsdOff() throws IOException {
    assertThat(Environment.configuration(Path.of("rollup_config.json"), "broker:9092"))
        .containsEntry("tsd.core.enable_ui", "false");
    for (String file : List.of("docs/first-rollups.md", "docs/examples/opentsdb.conf")) {
      String text = Files.readString(Path.of("..", file));
      for (String block : text.split("(?m)^```.*$", -1)) {
        if (block.contains("\ntsd.rpc.plugins = ")) {
          assertThat(block).as(file).contains("\ntsd.core.enable_ui = false\n");
        }
      }
    }
  }

  private static Quickstart parsed(String... args) {
    Quickstart command = new Quickstart();
    new CommandLine(command).parseArgs(args);
    return command;
  }
}
