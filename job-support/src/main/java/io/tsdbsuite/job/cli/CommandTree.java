package io.tsdbsuite.job.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** A program's command line: a tree of commands, one of which the arguments choose. */
public final class CommandTree {
  private CommandTree() {}

  /**
   * Creates the parser of a command and its subcommands. It finds all problems, not only the first,
   * ignores the case of enum values, and takes the name of a subcommand as the value of an option
   * that needs one, but never a misspelled option. A command with subcommands also gets {@code
   * help}.
   */
  public static CommandLine of(Object command) {
    CommandLine tree = new CommandLine(command);
    // A program that starts another one must see the options that it passes on.
    tree.setExpandAtFiles(false);
    tree.setCaseInsensitiveEnumValuesAllowed(true);
    tree.setAllowSubcommandsAsOptionParameters(true);
    if (!tree.getSubcommands().isEmpty()) {
      tree.addSubcommand(new HelpCommand());
    }
    configure(tree);
    return tree;
  }

  private static void configure(CommandLine command) {
    // All options in one sentence say nothing; the description with its example comes next.
    command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    command
        .getCommandSpec()
        .parser()
        .collectErrors(true)
        .unmatchedOptionsAllowedAsOptionParameters(false);
    command.getSubcommands().values().forEach(CommandTree::configure);
  }

  /**
   * Parses arguments. Prints the help or the version if they ask for it.
   *
   * @param tree made by {@link #of}
   * @param problems receives the errors of parsing
   * @return the chosen command; empty if the help or the version was printed
   * @throws io.tsdbsuite.job.JobException usage, when {@code help} names no command
   */
  public static Optional<ParseResult> parse(
      CommandLine tree, PrintWriter out, Problems problems, String... args) {
    NativeText.requireRead(problems, args);
    ParseResult parsed = tree.parseArgs(args);
    while (true) {
      CommandLine command = parsed.commandSpec().commandLine();
      parsed.errors().forEach(error -> problems.add(String.valueOf(error.getMessage())));
      if (command.isUsageHelpRequested()) {
        command.usage(out);
        return Optional.empty();
      }
      if (command.getCommand() instanceof HelpCommand help) {
        help(help, command, out, problems);
        return Optional.empty();
      }
      if (command.isVersionHelpRequested()) {
        command.printVersionHelp(out);
        return Optional.empty();
      }
      if (!parsed.hasSubcommand()) {
        return Optional.of(parsed);
      }
      refuseOptionsBefore(parsed, problems);
      parsed = parsed.subcommand();
    }
  }

  private static void help(
      HelpCommand help, CommandLine command, PrintWriter out, Problems problems) {
    help.init(command, CommandLine.Help.defaultColorScheme(Ansi.OFF), out, out);
    try {
      help.run();
    } catch (ParameterException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    problems.throwIfAny();
  }

  /** An option before a subcommand would be ignored. */
  private static void refuseOptionsBefore(ParseResult parsed, Problems problems) {
    if (!parsed.matchedOptions().isEmpty()) {
      problems.add(
          "options must follow %s, found before it: %s"
              .formatted(
                  parsed.subcommand().commandSpec().name(),
                  parsed.matchedOptions().stream()
                      .map(OptionSpec::longestName)
                      .collect(Collectors.joining(", "))));
    }
  }
}
