package io.tsdbsuite.dist.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class ManPageTest {
  @Command(
      name = "tool",
      header = "Does one thing.",
      description = {"First words.", "", "  tool --from a\\b", "", ".dotted line, 1%% of it."},
      exitCodeList = {"0:done", "2:wrong usage"})
  static final class Tool {
    @Option(
        names = "--from",
        paramLabel = "PLACE",
        description = "Where. Default: ${DEFAULT-VALUE}.",
        defaultValue = "here")
    String from = "here";

    @Option(names = "--secret", hidden = true)
    boolean secret;
  }

  @Test
  void hasTheSectionsOfACommand() {
    String page =
        new ManPage("1.2.3", "2026-01-02").pages(new CommandLine(new Tool())).get("tool.1");
    assertThat(page.lines())
        .containsExactly(
            ".TH \"TOOL\" \"1\" \"2026-01-02\" \"opentsdb-suite 1.2.3\" \"OpenTSDB suite\"",
            ".SH NAME",
            "tool \\- Does one thing.",
            ".SH SYNOPSIS",
            ".B tool",
            "[OPTIONS]",
            ".SH DESCRIPTION",
            "First words.",
            ".PP",
            ".PP",
            ".nf",
            "  tool \\-\\-from a\\eb",
            ".fi",
            ".PP",
            ".PP",
            "\\&.dotted line, 1% of it.",
            ".SH OPTIONS",
            ".TP",
            ".B \\-\\-from=PLACE",
            "Where. Default: here.",
            ".SH EXIT STATUS",
            ".TP",
            ".B 0",
            "done",
            ".TP",
            ".B 2",
            "wrong usage");
  }
}
