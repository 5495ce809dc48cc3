package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.uid.UidSource;
import java.util.Map;

/** Checks the options for the source of UID names. */
final class UidOptions {
  private final RollupCommand command;
  private final InputOptions input;
  private final Problems problems;

  /**
   * @param problems receives the problems found
   */
  UidOptions(RollupCommand command, Problems problems) {
    this.command = command;
    this.input = command.input;
    this.problems = problems;
  }

  /** Source of the names. HFiles contain UIDs, so they need names only for the metric filter. */
  UidSource source() {
    return command.sink == SinkKind.HFILE && command.choice.metrics.isEmpty()
        ? UidSource.NONE
        : input.uidSource;
  }

  /** The snapshot with the names; null for another source. */
  String snapshot() {
    return source() == UidSource.SNAPSHOT ? input.uidSnapshot : null;
  }

  /**
   * Client properties of the live HBase with the names; empty for another source.
   *
   * @param config null if it cannot be read, which is reported separately
   */
  Map<String, String> hbase(TsdConfig config) {
    UidSource wanted = source();
    if (wanted == UidSource.NONE) {
      none();
      return Map.of();
    }
    if (wanted == UidSource.SNAPSHOT) {
      problems.require("--uid-snapshot", input.uidSnapshot);
      if (!input.hbase.properties.isEmpty() && command.sink != SinkKind.HFILE) {
        problems.add("--hbase-property goes with --uid-source hbase and --sink hfile only");
      }
      return Map.of();
    }
    problems.refuse("--uid-snapshot", input.uidSnapshot, "does not go with --uid-source hbase");
    return HBaseClient.properties(config, input.hbase, problems);
  }

  private void none() {
    if (command.sink != SinkKind.HFILE) {
      problems.add("--uid-source must be snapshot or hbase: --sink hfile alone needs no names");
    } else if (!command.choice.metrics.isEmpty()) {
      problems.add("--metrics needs names: --uid-source must be snapshot or hbase");
    }
    problems.refuse(
        "--uid-snapshot", input.uidSnapshot, "is not read by --sink hfile without --metrics");
  }
}
