package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.rollup.load.CoverageChoice;
import io.tsdbsuite.rollup.load.LoadJob;
import io.tsdbsuite.rollup.plan.HoldBack;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/** Checks all options of {@code rollup-job load} and the files that they name. */
final class LoadOptions {
  private final LoadCommand command;
  private final TsdFiles files;
  private final Map<String, String> hbase;
  private final Duration pause;

  /**
   * @param invocation receives the problems found
   */
  LoadOptions(LoadCommand command, Invocation invocation) {
    this.command = command;
    Problems problems = invocation.problems();
    problems.require("--hfile-dir", command.hfileDir);
    this.files = TsdFiles.read(command.tsd, invocation.tsdKeys(), problems);
    this.hbase = command.hbase.clientProperties(files.config(), problems);
    String table = command.coverageTable;
    this.pause = pause(command, problems);
    if (table != null) {
      requireTableName(table, problems);
    }
  }

  /** Checks the form of a table's name. */
  static void requireTableName(String table, Problems problems) {
    if (!CoverageRows.isTableName(table)) {
      problems.add("--coverage-table must be the name of a table, found: " + table);
    }
  }

  private static Duration pause(LoadCommand command, Problems problems) {
    Long seconds = problems.tried(() -> HoldBack.parse("--coverage-pause", command.coveragePause));
    return Duration.ofSeconds(Objects.requireNonNullElse(seconds, 0L));
  }

  private CoverageChoice coverage() {
    String table = command.coverageTable;
    return new CoverageChoice(
        table == null ? CoverageRows.DEFAULT_TABLE : table,
        table != null,
        !command.noCoverage,
        command.coverageSourceChecked,
        pause);
  }

  /**
   * Creates the job; only if there are no problems.
   *
   * @param hadoop Hadoop's settings
   */
  LoadJob job(Configuration hadoop, Clock clock) {
    return new LoadJob(
        HBaseClients.configuration(hadoop, hbase),
        Objects.requireNonNull(command.hfileDir),
        Objects.requireNonNull(files.schema()),
        Objects.requireNonNull(files.rollups()),
        command.allowUnreplicated,
        coverage(),
        clock);
  }
}
