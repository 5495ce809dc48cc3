package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.ProgramVersion;
import picocli.CommandLine.Command;

/** The group of commands {@code rollup-job coverage}. */
@Command(
    name = "coverage",
    subcommands = {
      CoverageListCommand.class,
      CoverageAddCommand.class,
      CoverageVerifyCommand.class,
      CoverageRemoveCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Lists, adds, proves again and removes what rollup-query takes as stored.",
    description =
        """
        The coverage table says which rollups are proven to be stored (docs/coverage.md).

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage list \\
            --tsd-config opentsdb.conf
        """,
    commandListHeading = "%nCommands, each with its own --help:%n")
final class CoverageCommand {
  /** A command of the group. */
  interface Part {
    /** Runs if the options have no problems; otherwise prints all problems. */
    ExitCode run(Invocation invocation);
  }
}
