package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import picocli.CommandLine.Command;

/** The group of commands {@code rollup-job coverage}. */
@Command(
    name = "coverage",
    subcommands = {
      CoverageListCommand.class,
      CoverageAddCommand.class,
      CoverageVerifyCommand.class,
      CoverageRemoveCommand.class,
      CoverageUpgradeCommand.class
    },
    header = "Lists, adds, proves again and removes what rollup-query takes as stored.",
    description =
        """
        The coverage table says which rollups are proven to be stored (docs/coverage.md).

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage list \\
            --tsd-config opentsdb.conf
        """,
    commandListHeading = "%nCommands, each with its own --help:%n")
final class CoverageCommand extends RollupMain.Action {
  @Override
  ExitCode run(Invocation invocation) {
    invocation
        .problems()
        .add("coverage needs one of its commands: list, add, verify, remove, upgrade");
    return invocation.refuse();
  }
}
