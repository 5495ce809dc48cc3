package io.tsdbsuite.bulk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Holds the table of options in docs/bulk-loader.md against the options of each command. */
class OptionTableTest {
  private static final Path DOCS = Path.of("../docs/bulk-loader.md");
  private static final String HEAD = "| Option | Commands | Default | Meaning |";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> EVERYWHERE = Set.of("--help", "--version");

  private record Row(String option, List<String> commands, String defaultValue) {}

  static Set<String> commands() {
    Set<String> commands = new TreeSet<>(CommandLines.create().getSubcommands().keySet());
    // It has no options.
    commands.remove("help");
    return commands;
  }

  @Test
  void theTableNamesEachCommand() throws IOException {
    Set<String> named = new TreeSet<>();
    rows().forEach(row -> named.addAll(row.commands()));

    assertThat(named).containsExactlyInAnyOrderElementsOf(commands());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theTableHasTheOptionsOfACommandAndNoOthers(String command) throws IOException {
    List<String> documented =
        rows().stream()
            .filter(row -> row.commands().contains(command))
            .map(Row::option)
            .sorted()
            .toList();

    assertThat(documented).containsExactlyElementsOf(options(command).keySet());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void defaultsAreThoseOfTheCommand(String command) throws IOException {
    Map<String, OptionSpec> options = options(command);
    for (Row row : rows()) {
      if (row.commands().contains(command)) {
        Matcher constant = CODE.matcher(row.defaultValue());
        String documented = constant.matches() ? constant.group(1) : null;

        assertThat(options.get(row.option()).defaultValue())
            .as(command + " " + row.option())
            .isEqualTo(documented);
      }
    }
  }

  private static SortedMap<String, OptionSpec> options(String command) {
    SortedMap<String, OptionSpec> options = new TreeMap<>();
    CommandLine line = CommandLines.create().getSubcommands().get(command);
    for (OptionSpec option : line.getCommandSpec().options()) {
      if (!option.hidden() && !EVERYWHERE.contains(option.longestName())) {
        options.put(option.longestName(), option);
      }
    }
    return options;
  }

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(DOCS).stream()
        .dropWhile(line -> !line.equals(HEAD))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(OptionTableTest::row)
        .toList();
  }

  private static Row row(String line) {
    List<String> cells = Pattern.compile(" \\| ").splitAsStream(line).toList();
    Matcher option = CODE.matcher(cells.get(0));
    assertThat(option.find()).as(line).isTrue();
    return new Row(
        option.group(1), Pattern.compile(", ").splitAsStream(cells.get(1)).toList(), cells.get(2));
  }
}
