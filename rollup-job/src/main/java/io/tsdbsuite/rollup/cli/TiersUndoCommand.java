package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.tiers.apply.TierUndo;
import io.tsdbsuite.rollup.tiers.apply.UndoOptions;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job tiers undo}. */
@Command(
    name = "undo",
    header = "Brings back the data that tiers apply has deleted.",
    description =
        """
Restores the rows of all days from a day on, up to the floor: lets HBase compact the \
regions with their delete markers, loads the cells of the proofs' snapshots with their \
timestamps, looks at each row, masks the rollups of raw data that came back, and lowers the \
floor. Points that came \
later stay. Can be retried after any failure. With --idle it restores the idle series that have \
gone last, to all tables.

  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\
    tiers undo --from 2026-10-27 --snapshot-root hdfs:///hbase \\
    --hfile-dir hdfs:///tiers --tsd-config opentsdb.conf
""",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the data are back, or an earlier undo has done it",
      "1:a directory of an apply, its floor or a snapshot is missing or damaged: the floors are as"
          + " they were",
      "2:wrong usage or configuration, or a table that does not allow it: the floors are as they"
          + " were",
      "3:HBase or storage failed; run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class TiersUndoCommand extends RollupMain.Action {
  @Mixin MarkerOptions markers = new MarkerOptions();

  @Option(
      names = "--from",
      paramLabel = "DATE",
      description = "The first day whose data come back, UTC; all later ones come back, too.")
  @Nullable String from;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    Long begin = null;
    if (markers.idle) {
      problems.refuse("--from", from, "does not go with --idle");
    } else {
      problems.require("--from", from);
      begin =
          from == null
              ? null
              : problems.tried(() -> HourParser.day("--from", Objects.requireNonNull(from)));
    }
    TsdFiles files = markers.read(invocation);
    if (!problems.isEmpty()) {
      return invocation.refuse();
    }
    UndoOptions options =
        new UndoOptions(
            markers.level(),
            begin,
            markers.match,
            markers.hfileDir(),
            markers.snapshotRoot(),
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            files.codecs(),
            markers.coverageTable);
    return markers.run(
        invocation,
        "nothing was changed",
        hbase -> ended(new TierUndo(hbase, options, invocation.clock()).run(markers.dryRun)));
  }

  private static MarkerOptions.Ended ended(UndoReport undone) {
    DryRun plan = new DryRun();
    if (!undone.table().isEmpty()) {
      plan.line("table", undone.table());
    }
    undone
        .planned()
        .forEach(each -> plan.line(each.of().isIdle() ? "series" : "day", each.of().toString()));
    return new MarkerOptions.Ended(undone.exitCode(), undone.message(), undone.report(), plan);
  }
}
