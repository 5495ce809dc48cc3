package io.tsdbsuite.nightly.cli;

import io.tsdbsuite.job.cli.CommandTree;
import picocli.CommandLine;

/** The parser of the command, for a run, the man page and shell completion. */
public final class CommandLines {
  private CommandLines() {}

  /** Creates the parser. */
  public static CommandLine create() {
    return create(new NightlyCommand());
  }

  static CommandLine create(NightlyCommand command) {
    return CommandTree.of(command);
  }
}
