package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.Duration;
import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.prune.KeepRule;
import io.tsdbsuite.rollup.prune.PruneOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Checks the options of {@code rollup-job prune}. */
final class PruneOptionsReader {
  /** Seconds: an hour, and 3650 days, which is 10y. */
  private static final long LEAST_GRACE = 3600;

  private static final long MOST_GRACE = 3650L * 86400;

  private final PruneCommand command;
  private final Problems problems;

  /**
   * @param problems receives the problems found
   */
  PruneOptionsReader(PruneCommand command, Problems problems) {
    this.command = command;
    this.problems = problems;
  }

  /** Returns the options; null if there are problems. */
  @Nullable PruneOptions read() {
    problems.require("--snapshot-root", command.snapshotRoot);
    if (command.tables.isEmpty()) {
      problems.add("--table is required, once for each table of a night");
    }
    Set<TableName> tables = new LinkedHashSet<>();
    for (String table : command.tables) {
      TableName name = problems.tried(() -> table(table));
      if (name != null && !tables.add(name)) {
        problems.add("--table must be another one each time, found twice: " + table);
      }
    }
    SnapshotPattern names = problems.tried(() -> pattern(command.snapshotPattern));
    problems.atLeast("--keep-days", command.keepDays, 0);
    problems.atLeast("--keep-weeks", command.keepWeeks, 0);
    problems.atLeast("--keep-months", command.keepMonths, 0);
    if (command.keepDays <= 0 && command.keepWeeks <= 0 && command.keepMonths <= 0) {
      problems.add(
          "one of --keep-days, --keep-weeks, --keep-months must be 1 or more: prune never deletes"
              + " every night");
    }
    if (command.delete && command.dryRun) {
      problems.add("--delete and --dry-run exclude each other, found both");
    }
    java.time.Duration grace = problems.tried(() -> grace(command.grace));
    if (!problems.isEmpty()) {
      return null;
    }
    return new PruneOptions(
        Objects.requireNonNull(command.snapshotRoot),
        List.copyOf(tables),
        Objects.requireNonNull(names),
        new KeepRule(command.keepDays, command.keepWeeks, command.keepMonths),
        Objects.requireNonNull(grace),
        command.delete);
  }

  private static TableName table(String text) {
    try {
      return TableName.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--table must be the name of an HBase table, found: " + text, e);
    }
  }

  private static SnapshotPattern pattern(String text) {
    try {
      return SnapshotPattern.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--snapshot-pattern " + e.getMessage() + ", found: " + text, e);
    }
  }

  private static java.time.Duration grace(String text) {
    Duration duration = Duration.parse(text);
    if (duration == null || duration.seconds() < LEAST_GRACE || duration.seconds() > MOST_GRACE) {
      throw new IllegalArgumentException(
          "--grace must be a number and one of the units s m h d w n y, from 1h to 3650d, found: "
              + text);
    }
    return java.time.Duration.ofSeconds(duration.seconds());
  }
}
