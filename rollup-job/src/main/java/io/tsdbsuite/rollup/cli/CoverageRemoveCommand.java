package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rollup-job coverage remove}. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Removes windows, so that their times are read from raw data; or masks.",
    description =
        """
        The times of --from to --to go; what a window has before and after stays. Rollups may be \
        removed two minutes later, which the last line says: a TSD answers with no \
        rollup that it has read more than a minute after it looked for the windows.

        With --masks, masks that lie in --from to --to go, and windows stay: those of days of \
        which the TTL of the data table may have removed points, so that only the rollups have \
        them. Others go with --force; then queries read rollups that may lack points.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage remove \\
            --tsd-config opentsdb.conf --interval 1h --from 2026-11-19 --to 2026-11-20
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:removed, or there was nothing to remove",
      "1:removed, but other rows of the table cannot be read",
      "2:wrong usage or configuration, or there is no such table",
      "3:HBase failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageRemoveCommand implements CoverageCommand.Part {
  @Mixin CoverageOptions options = new CoverageOptions();

  @Mixin BoundsOptions bounds = new BoundsOptions();

  @Option(
      names = "--all",
      description = "Remove all windows, or masks; otherwise give one of the above.")
  boolean all;

  @Option(names = "--masks", description = "Remove masks instead of windows.")
  boolean masks;

  @Option(
      names = "--force",
      description = "With --masks: also masks of days whose raw points are not gone.")
  boolean force;

  @Option(names = DryRun.OPTION, description = "Only say what would be removed.")
  boolean dryRun;

  @Override
  public ExitCode run(Invocation invocation) {
    return CoverageRemoveRun.of(this, invocation);
  }
}
