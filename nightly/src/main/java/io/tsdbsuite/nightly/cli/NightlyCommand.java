package io.tsdbsuite.nightly.cli;

import io.tsdbsuite.job.cli.ProgramCommand;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of rollup-nightly. */
@Command(
    name = "rollup-nightly",
    header = "Rolls up every day of OpenTSDB that is due, and ends; for cron.",
    description =
        """

        Example:

          rollup-nightly --config /etc/opentsdb-suite/nightly.conf --dry-run

        Takes the snapshots, exports them if asked, runs or resumes rollup-job for each whole day \
        (UTC) without a report of success, loads its HFiles, verifies a sample, deletes old \
        snapshots, writes metrics. Prints one line that says what was done for each day. Can be \
        repeated at any time, also after it was killed: the next run goes on.
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all days that are due are rolled up",
      "1:bad input was counted, or a day has expired; the line names it",
      "2:wrong usage or configuration",
      "3:an outside system failed, days are left, or another run has the lock; run it again",
      "4:too little memory (the message says so), or a defect: please report it with its log"
    })
final class NightlyCommand extends ProgramCommand {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration file; docs/nightly.md explains its keys. Required.")
  @Nullable Path config;

  @Option(
      names = "--dry-run",
      description = "Only print what a run would do, with all commands; change nothing.")
  boolean dryRun;

  @Option(
      names = "--day",
      paramLabel = "DATE",
      description =
          "Roll up this day (yyyy-MM-dd, UTC), also if it is done, instead of the days that are"
              + " due; repeatable.")
  List<LocalDate> days = new ArrayList<>();
}
