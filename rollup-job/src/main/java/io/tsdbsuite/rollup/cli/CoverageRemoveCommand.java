package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.coverage.CoverageRemove;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job coverage remove}. */
@Command(
    name = "remove",
    header = "Removes windows, so that their times are read from raw data; or masks.",
    description =
        """
        The times of --from to --to go; what a window has before and after stays, and what it \
        says of the metrics of a floor below it, unless --force is given. Rollups may be \
        removed two minutes later, which the last line says: a TSD answers with no \
        rollup that it has read more than a minute after it looked for the windows.

        With --masks, masks that lie in --from to --to go, and windows stay: those of days of \
        which the TTL of the data table may have removed points, so that only the rollups have \
        them. Others go with --force; then queries read rollups that may lack points. Masks below \
        a floor are void, but count again if the floor is lowered. Floors stay.

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
final class CoverageRemoveCommand extends RollupMain.Action {
  /** As docs/coverage.md says to writers that remove rollups. */
  private static final Duration WAIT = Duration.ofMinutes(2);

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
      description = "With --masks: also masks of days that the TTL keeps, below floors, too.")
  boolean force;

  @Option(names = DryRun.OPTION, description = "Only say what would be removed.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    CoverageHBase hbase = options.read(invocation);
    CoverageBounds wanted = bounds.read(problems);
    if (all != wanted.isAll()) {
      problems.add(
          all
              ? "--all does not go with --interval, --from, --to, --metric or --writer"
              : "one of --interval, --from, --to, --metric, --writer is required, or --all");
    }
    if (masks && !(wanted.intervals().isEmpty() && wanted.writers().isEmpty())) {
      problems.add("--masks does not go with --interval or --writer: masks are of all intervals");
    }
    return problems.isEmpty()
        ? SparkStart.driverOnly(
            () -> hbase.with(connection -> remove(connection, hbase, wanted, invocation)))
        : invocation.refuse();
  }

  private ExitCode remove(
      Connection connection, CoverageHBase hbase, CoverageBounds wanted, Invocation invocation)
      throws IOException {
    try (CoverageCleaner table = new CoverageCleaner(connection, hbase.table())) {
      if (masks) {
        long wholeFrom = wholeFrom(connection, hbase, invocation);
        masks(table, wanted, wholeFrom).forEach(invocation::println);
        CoverageRemove.requireReadable(table);
        return ExitCode.DONE;
      }
      List<String> removed =
          CoverageRemove.run(
              table, CoverageListing.tables(hbase.rollups()).values(), wanted, force, dryRun);
      String verb = dryRun ? "would remove " : "removed ";
      removed.forEach(line -> invocation.println(verb + line));
      if (removed.isEmpty()) {
        invocation.println("nothing to remove");
      } else if (!dryRun) {
        invocation.println(
            "The rollups may be removed from %s on, not before."
                .formatted(
                    invocation
                        .clock()
                        .instant()
                        .plus(WAIT)
                        .plusSeconds(1)
                        .truncatedTo(ChronoUnit.SECONDS)));
      }
      CoverageRemove.requireReadable(table);
    }
    return ExitCode.DONE;
  }

  private List<String> masks(CoverageCleaner table, CoverageBounds wanted, long wholeFrom)
      throws IOException {
    List<String> lines = CoverageRemove.masks(table, wanted, wholeFrom, dryRun);
    if (lines.isEmpty()) {
      return List.of("nothing to remove");
    }
    if (lines.stream().noneMatch(line -> line.startsWith(CoverageRemove.KEPT))) {
      return lines;
    }
    List<String> withAdvice = new ArrayList<>(lines);
    withAdvice.add(
        "What is kept, or a mask of its row, is in part outside of --from, --to and --metric; or it"
            + " is of days whose raw points are not gone, or only below a floor that may be"
            + " lowered: without the mask queries would read rollups that may lack points. Roll up"
            + " these days again, or use --force.");
    return withAdvice;
  }

  private long wholeFrom(Connection connection, CoverageHBase hbase, Invocation invocation)
      throws IOException {
    if (force) {
      return Long.MAX_VALUE;
    }
    TableName data = TableName.valueOf(hbase.schema().dataTable());
    try (Admin admin = connection.getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(data).getColumnFamily(RowKey.family());
      if (family == null) {
        throw JobException.usage("table " + data + " must have the column family " + RowKey.FAMILY);
      }
      return CoverageRemove.wholeFrom(family, invocation.clock().millis());
    }
  }
}
