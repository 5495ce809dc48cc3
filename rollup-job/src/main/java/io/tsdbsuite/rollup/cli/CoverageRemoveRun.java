package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageRemove;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Runs {@code rollup-job coverage remove}. */
final class CoverageRemoveRun {
  /** As docs/coverage.md says to writers that remove rollups. */
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
          try (CoverageCleaner table = new CoverageCleaner(connection, hbase.table())) {
            List<String> removed = CoverageRemove.run(table, wanted, dryRun);
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
}
