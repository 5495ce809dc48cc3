package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageRemove;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Runs {@code rollup-job coverage remove}. */
final class CoverageRemoveRun {
  /** Rule 5 for writers in docs/coverage.md. */
  private static final Duration WAIT = Duration.ofMinutes(2);

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
          CoverageRemove remove = new CoverageRemove(wanted, command.masks, dryRun);
          try (CoverageCleaner table = new CoverageCleaner(connection, hbase.table())) {
            remove.run(table);
            String verb = dryRun ? "would remove " : "removed ";
            remove.removed().forEach(line -> console.println(verb + line));
            remove.kept().forEach(line -> console.println("kept " + line));
            if (remove.removed().isEmpty()) {
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
}
