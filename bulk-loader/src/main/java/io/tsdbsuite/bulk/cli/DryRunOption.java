package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.cli.DryRun;
import picocli.CommandLine.Option;

/** The option of every command that writes or takes long. */
final class DryRunOption {
  @Option(
      names = DryRun.OPTION,
      description =
          "Only check options, input, tables and work directory, and print what would be done."
              + " Writes nothing.")
  boolean on;
}
