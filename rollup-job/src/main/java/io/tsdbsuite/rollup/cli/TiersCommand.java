package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import picocli.CommandLine.Command;

/** The group of commands {@code rollup-job tiers}. */
@Command(
    name = "tiers",
    subcommands = {
      TiersPlanCommand.class,
      TiersProveCommand.class,
      TiersApplyCommand.class,
      TiersUndoCommand.class
    },
    header = "Plans how long tables keep the data of which metrics, proves rollups, deletes data.",
    description =
        """
        A policy says for how long raw data and rollups of metrics are kept (docs/tiers.md).

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar tiers plan \\
            --policy tiers.json --snapshot-root s3a://backup/hbase \\
            --data-snapshot tsdb-20261120 --uid-snapshot tsdb-uid-20261120 \\
            --tsd-config opentsdb.conf
        """,
    commandListHeading = "%nCommands, each with its own --help:%n")
final class TiersCommand extends RollupMain.Action {
  @Override
  ExitCode run(Invocation invocation) {
    invocation.problems().add("tiers needs one of its commands: plan, prove, apply, undo");
    return invocation.refuse();
  }
}
