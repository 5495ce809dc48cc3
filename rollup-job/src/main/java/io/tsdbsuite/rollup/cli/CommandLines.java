package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.TsdKeys;
import picocli.CommandLine;

/**
 * The parser of all commands, for a run, the man pages and shell completion. It is not in the main
 * class, whose public methods the JVM resolves before it can report a missing library.
 */
public final class CommandLines {
  private CommandLines() {}

  /** Creates the parser. */
  public static CommandLine create() {
    CommandLine tree = CommandTree.of(new RollupCommand());
    TsdKeys.addTo(tree.getCommandSpec(), StorageSchema.KEYS);
    addKeys(tree);
    return tree;
  }

  private static void addKeys(CommandLine tree) {
    for (CommandLine command : tree.getSubcommands().values()) {
      addKeys(command);
      // Prune and help need no schema, and those that only have commands read nothing.
      if (!(command.getCommand() instanceof PruneCommand)
          && command.getSubcommands().isEmpty()
          && !command.getCommandSpec().helpCommand()) {
        TsdKeys.addTo(command.getCommandSpec(), StorageSchema.KEYS);
      }
    }
  }
}
