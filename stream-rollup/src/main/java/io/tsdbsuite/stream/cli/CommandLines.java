package io.tsdbsuite.stream.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.TsdKeys;
import picocli.CommandLine;

/**
 * The parser of the options, for a run, the man pages and shell completion. It is not in the main
 * class, whose public methods the JVM resolves before it can report a missing library.
 */
public final class CommandLines {
  private CommandLines() {}

  /** Creates the parser. */
  public static CommandLine create() {
    CommandLine tree = CommandTree.of(new StreamCommand());
    TsdKeys.addTo(tree.getCommandSpec(), StorageSchema.KEYS);
    return tree;
  }
}
