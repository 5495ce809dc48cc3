package io.tsdbsuite.dist.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.cli.DryRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What each command of each program must have, from the parsers that the programs use. */
class ProgramsTest {
  @TempDir Path directory;

  /** Commands that only plan or list. */
  private static final Set<String> READERS = Set.of("plan", "list");

  static Stream<CommandLine> programs() {
    return Programs.all().stream().map(program -> program.commandLine().get());
  }

  static Stream<CommandLine> commands() {
    List<CommandLine> commands = new ArrayList<>();
    programs().forEach(program -> collect(program, commands));
    return commands.stream();
  }

  private static void collect(CommandLine command, List<CommandLine> commands) {
    if (!command.getCommandSpec().helpCommand()) {
      commands.add(command);
      new LinkedHashMap<>(command.getSubcommands()).values().forEach(sub -> collect(sub, commands));
    }
  }

  /** The keys of opentsdb.conf are options too, which the help describes but does not list. */
  private static List<OptionSpec> shown(CommandLine command) {
    return command.getCommandSpec().options().stream().filter(option -> !option.hidden()).toList();
  }

  /** A program that only has commands does nothing by itself. */
  private static boolean onlyHasCommands(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .allMatch(option -> option.usageHelp() || option.versionHelp());
  }

  /** All scripts read this file first; cron and systemd set no locale. */
  @ParameterizedTest
  @CsvSource({
    "'','','',C.UTF-8",
    "'','',POSIX,C.UTF-8",
    "C,'',de_DE.UTF-8,C.UTF-8",
    "'',C,de_DE.UTF-8,C.UTF-8",
    "'','',de_DE.UTF-8,''",
    "'',de_DE.ISO-8859-1,C,''",
    "ja_JP.EUC-JP,C,C,ja_JP.EUC-JP"
  })
  void haveALocaleWithAllCharacters(String all, String type, String lang, String expected)
      throws IOException {
    ProcessBuilder shell =
        new ProcessBuilder("sh", "-c", ". ../job-support/bin/launcher.sh; env | grep ^LC_ALL=");
    shell.environment().putAll(Map.of("LC_ALL", all, "LC_CTYPE", type, "LANG", lang));
    byte[] out = shell.start().getInputStream().readAllBytes();
    assertThat(new String(out, UTF_8)).isEqualTo("LC_ALL=" + expected + "\n");
  }

  /** One collector, which JAVA_OPTS may name; a JVM does not start with two. */
  @ParameterizedTest
  @CsvSource({"-Xmx1g, -XX:+UseParallelGC", "-Xmx1g -XX:+UseG1GC, -XX:+UseG1GC"})
  void theStreamHasTheParallelCollector(String javaOptions, String collector) throws IOException {
    Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        [ "$1" != -version ] || echo 'openjdk version "17.0.9"' >&2
        [ "$1" = -version ] || echo "$*"
        """);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(directory.resolve("lib"));
    ProcessBuilder command = new ProcessBuilder("../stream-rollup/bin/stream-rollup", "--local");
    command
        .environment()
        .putAll(
            Map.of(
                "JAVA_HOME", directory.toString(),
                "FLINK_HOME", directory.toString(),
                "STREAM_ROLLUP_JAR", java.toString(),
                "JAVA_OPTS", javaOptions));
    String arguments = new String(command.start().getInputStream().readAllBytes(), UTF_8);
    assertThat(arguments.split(" ", -1))
        .filteredOn(word -> word.endsWith("GC"))
        .containsExactly(collector);
    assertThat(arguments).contains("-Xmx1g").endsWith(" --local\n");
  }

  @Test
  void areBuiltWithTheirCommit() throws IOException {
    assertThat(Path.of("..", "shipped-jar", "pom.xml"))
        .content()
        .contains("<Implementation-Build>${build.commit}</Implementation-Build>");
    for (Program program : Programs.all()) {
      assertThat(Path.of("..", program.module(), "pom.xml"))
          .content()
          .contains("<artifactId>shipped-jar</artifactId>");
    }
  }

  /** Pages write VERSION: they are those of each release. */
  @Test
  void areNamedWithoutAVersionInThePages() throws IOException {
    Pattern versioned =
        Pattern.compile(
            "(rollup-job|bulk-loader|series-report|stream-rollup|nightly|kafka-ingest"
                + "|rollup-query|histogram-codec|tsuid-ratelimiter|lambda-trigger|opentsdb-suite)[-_]\\d+\\.\\d+\\S*");
    try (Stream<Path> pages = Files.walk(Path.of("..", "docs"))) {
      for (Path page :
          Stream.concat(pages, Stream.of(Path.of("..", "README.md")))
              .filter(file -> file.toString().endsWith(".md"))
              .toList()) {
        assertThat(versioned.matcher(Files.readString(page)).results().map(MatchResult::group))
            .as(page.toString())
            .isEmpty();
      }
    }
  }

  @Test
  void areNamedAsTheirParsers() {
    for (Program program : Programs.all()) {
      assertThat(program.commandLine().get().getCommandName()).isEqualTo(program.name());
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void haveADryRun(CommandLine command) {
    if (!onlyHasCommands(command) && !READERS.contains(command.getCommandName())) {
      assertThat(command.getCommandSpec().findOption(DryRun.OPTION))
          .as(command.getCommandSpec().qualifiedName())
          .isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void tellTheirVersion(CommandLine command) {
    assertThat(command.getCommandSpec().findOption("--version"))
        .as(command.getCommandSpec().qualifiedName())
        .isNotNull();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void showAnExampleBeforeTheOptions(CommandLine command) {
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
    String program = command.getCommandSpec().root().name();
    int options = help.indexOf("--help");
    assertThat(help.substring(0, options))
        .as(help)
        .containsPattern("(?m)^ +(spark-submit|flink run|" + program + ") ");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void completeAllTheirOptions(CommandLine program) {
    String script = AutoComplete.bash(program.getCommandName(), program);
    for (CommandLine command : program.getSubcommands().values()) {
      for (OptionSpec option : shown(command)) {
        assertThat(script).contains("'" + option.longestName() + "'");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void haveAManPageForEachCommand(CommandLine program) {
    Map<String, String> pages = new ManPage("1.2.3", "2026-01-02").pages(program);
    assertThat(pages).containsKey(program.getCommandName() + ".1");
    assertThat(pages.keySet()).doesNotContain(program.getCommandName() + "-help.1");
    for (CommandLine sub : program.getSubcommands().values()) {
      if (!sub.getCommandSpec().helpCommand()) {
        String page = pages.get(program.getCommandName() + "-" + sub.getCommandName() + ".1");
        for (OptionSpec option : shown(sub)) {
          assertThat(page).contains(option.longestName().replace("-", "\\-"));
        }
      }
    }
  }
}
