package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.coverage.CoverageRemove;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;

/** Runs {@code rollup-job coverage remove}. */
final class CoverageRemoveRun {
  /** As docs/coverage.md says to writers that remove rollups. */
  private static final Duration WAIT = Duration.ofMinutes(2);

  /** Column family of the raw points. */
  private static final byte[] DATA_FAMILY = {'t'};

  private CoverageRemoveRun() {}

  /** Runs if the options have no problems; otherwise prints all problems. */
  static ExitCode of(CoverageRemoveCommand command, Invocation invocation) {
    Problems problems = invocation.problems();
    CoverageHBase hbase = new CoverageHBase(command.options, invocation);
    CoverageBounds wanted = command.bounds.read(problems);
    if (command.all != wanted.isAll()) {
      problems.add(
          command.all
              ? "--all does not go with --interval, --from, --to, --metric or --writer"
              : "one of --interval, --from, --to, --metric, --writer is required, or --all");
    }
    if (command.masks && !(wanted.intervals().isEmpty() && wanted.writers().isEmpty())) {
      problems.add("--masks does not go with --interval or --writer: masks are of all intervals");
    }
    if (command.force && !command.masks) {
      problems.add("--force needs --masks");
    }
    if (!problems.isEmpty()) {
      return invocation.console().refuse(problems);
    }
    return SparkStart.driverOnly(() -> remove(command, hbase, wanted, invocation));
  }

  private static ExitCode remove(
      CoverageRemoveCommand command,
      CoverageHBase hbase,
      CoverageBounds wanted,
      Invocation invocation) {
    boolean dryRun = command.dryRun;
    Console console = invocation.console();
    return hbase.with(
        CoverageHBase.hadoop(),
        connection -> {
          try (CoverageCleaner table = new CoverageCleaner(connection, hbase.table())) {
            if (command.masks) {
              masks(command, table, wanted, wholeFrom(command, hbase, connection, invocation))
                  .forEach(console::println);
              CoverageRemove.requireReadable(table);
              return ExitCode.DONE;
            }
            List<String> removed =
                CoverageRemove.run(
                    table, CoverageListing.tables(hbase.rollups()).values(), wanted, dryRun);
            String verb = dryRun ? "would remove " : "removed ";
            removed.forEach(line -> console.println(verb + line));
            if (removed.isEmpty()) {
              console.println("nothing to remove");
            } else if (!dryRun) {
              console.println(
                  "The rollups may be removed from "
                      + invocation
                          .clock()
                          .instant()
                          .plus(WAIT)
                          .plusSeconds(1)
                          .truncatedTo(ChronoUnit.SECONDS)
                      + " on, not before.");
            }
            CoverageRemove.requireReadable(table);
          }
          return ExitCode.DONE;
        });
  }

  private static List<String> masks(
      CoverageRemoveCommand command, CoverageCleaner table, CoverageBounds wanted, long wholeFrom)
      throws IOException {
    List<String> lines = CoverageRemove.masks(table, wanted, wholeFrom, command.dryRun);
    if (lines.isEmpty()) {
      return List.of("nothing to remove");
    }
    if (lines.stream().noneMatch(line -> line.startsWith(CoverageRemove.KEPT))) {
      return lines;
    }
    List<String> told = new ArrayList<>(lines);
    told.add(
        "What is kept, or a mask of its row, is in part outside of --from, --to and --metric; or it"
            + " is of days whose raw points are not gone: without the mask queries would read"
            + " rollups that may lack points. Roll up these days again, or use --force.");
    return told;
  }

  private static long wholeFrom(
      CoverageRemoveCommand command,
      CoverageHBase hbase,
      Connection connection,
      Invocation invocation)
      throws IOException {
    if (command.force) {
      return Long.MAX_VALUE;
    }
    TableName data = TableName.valueOf(hbase.schema().dataTable());
    try (Admin admin = connection.getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(data).getColumnFamily(DATA_FAMILY);
      if (family == null) {
        throw JobException.usage("table " + data + " must have the column family t");
      }
      return CoverageRemove.wholeFrom(family, invocation.clock().millis());
    }
  }
}
