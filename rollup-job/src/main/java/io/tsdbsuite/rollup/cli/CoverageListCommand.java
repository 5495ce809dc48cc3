package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rollup-job coverage list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Lists which rollups are proven to be stored, and what is not.",
    description =
        """
        Windows by interval, why one does not count, proven times and the holes between them, and \
        masks. Times are UTC. With --metric the proven times are those that a query of the metric \
        finds, without what masks void. Writes nothing.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage list \\
            --tsd-config opentsdb.conf --interval 1h --from 2026-11-01
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:listed",
      "1:the table breaks its specification, so that TSDs read raw data",
      "2:wrong usage or configuration, or there is no such table",
      "3:HBase failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageListCommand implements CoverageCommand.Part {
  @Mixin CoverageOptions options = new CoverageOptions();

  @Mixin BoundsOptions bounds = new BoundsOptions();

  @Option(names = "--json", description = "Print a JSON object instead of text.")
  boolean json;

  @Override
  public ExitCode run(Invocation invocation) {
    return CoverageListRun.of(this, invocation);
  }
}
