package io.tsdbsuite.nightly.run;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.config.NightlyConfig.CoverageSettings;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.verify.VerifyArguments;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The command lines of rollup-job and its commands, under spark-submit.
 *
 * @param marks options of spark-submit that mark the process as a child of this state directory
 */
record JobCommands(NightlyConfig config, Supplier<List<String>> marks) {
  private static final String COVERAGE_TABLE = "--coverage-table";

  /** A command of the job; the first argument is its name, or an option of the job itself. */
  List<String> job(List<String> arguments) {
    List<String> command = new ArrayList<>(config.spark().command());
    command.addAll(marks.get());
    // Wins over spark-defaults.conf. Only client mode returns the job's exit code.
    command.addAll(List.of("--deploy-mode", "client"));
    config
        .clients()
        .hadoop()
        .forEach(
            (key, value) -> command.addAll(List.of("--conf", "spark.hadoop." + key + "=" + value)));
    command.addAll(config.spark().options());
    command.add(config.spark().jar());
    command.addAll(arguments);
    return command;
  }

  /**
   * A run.
   *
   * @param arguments as planned
   * @param live HBase; empty if it was not asked
   */
  List<String> rollup(List<String> arguments, Optional<LiveSnapshots> live) {
    List<String> all = new ArrayList<>(arguments);
    // With a policy no run may go without the floors, also if HBase was not asked for the table.
    boolean hasTable = config.tiers().isOn() || CoverageStep.hasTable(config, live);
    if (hasTable && !config.runs().options().has(COVERAGE_TABLE)) {
      addCoverageTable(all);
    }
    return job(all);
  }

  private void addCoverageTable(List<String> arguments) {
    String table = config.coverage().table();
    arguments.addAll(List.of(COVERAGE_TABLE, table.isEmpty() ? CoverageRows.DEFAULT_TABLE : table));
  }

  /** {@code rollup-job load}. */
  List<String> load(String hfileDir, String report) {
    List<String> arguments = new ArrayList<>(List.of("load", "--hfile-dir", hfileDir));
    arguments.addAll(config.runs().options().tsd());
    addCoverage(arguments);
    arguments.addAll(List.of("--report", report));
    return job(arguments);
  }

  /**
   * {@code rollup-job coverage add}.
   *
   * @param run location of the report of the run
   * @param patience how long TSDs may take to store rollups
   */
  List<String> coverage(String run, Duration patience, String report) {
    List<String> arguments = new ArrayList<>(List.of("coverage", "add", "--evidence", run));
    arguments.addAll(config.runs().options().tsd());
    addCoverage(arguments);
    arguments.addAll(List.of("--patience", patience.toSeconds() + "s"));
    arguments.addAll(List.of("--report", report));
    return job(arguments);
  }

  private void addCoverage(List<String> arguments) {
    CoverageSettings coverage = config.coverage();
    if (coverage.isOff()) {
      arguments.add("--no-coverage");
    } else if (!coverage.table().isEmpty()) {
      arguments.addAll(List.of(COVERAGE_TABLE, coverage.table()));
    }
  }

  /**
   * {@code rollup-job verify}.
   *
   * @param against the options of what the raw data are compared with
   */
  List<String> verify(Night night, LocalDate day, List<String> against, String report) {
    VerifyArguments verify =
        new VerifyArguments(
            config.runs().options(), config.verify().sample(), config.verify().metrics());
    List<String> arguments =
        new ArrayList<>(
            verify.list(
                config.runs().snapshotRoot(), night.dataSnapshot(), night.uidSnapshot(), day));
    arguments.addAll(against);
    if (config.tiers().isOn()) {
      addCoverageTable(arguments);
    }
    arguments.addAll(List.of("--report", report));
    return job(arguments);
  }

  /**
   * {@code rollup-job tiers prove}.
   *
   * @param rollups snapshots of the rollup tables
   */
  List<String> prove(Night night, List<String> rollups, String report) {
    List<String> arguments = tiers(List.of("prove"), report);
    arguments.addAll(List.of("--data-snapshot", night.dataSnapshot()));
    arguments.addAll(List.of("--uid-snapshot", night.uidSnapshot()));
    arguments.addAll(List.of("--against-snapshot", String.join(",", rollups)));
    arguments.addAll(config.tiers().proveOptions());
    return job(arguments);
  }

  /**
   * {@code rollup-job tiers apply}.
   *
   * @param table of the policy: raw, or an interval
   * @param match of the policy's entry
   */
  List<String> apply(String table, String match, LocalDate first, LocalDate last, String report) {
    List<String> arguments = tiers(List.of("apply", "--table", table), report);
    arguments.addAll(List.of("--match", match));
    arguments.addAll(List.of("--from", first.toString(), "--to", last.plusDays(1).toString()));
    arguments.addAll(List.of("--hfile-dir", config.tiers().hfileDir()));
    arguments.addAll(config.tiers().applyOptions());
    return job(arguments);
  }

  /** Proofs are of the snapshots on HBase, also with exports: markers need them there. */
  private List<String> tiers(List<String> command, String report) {
    List<String> arguments = new ArrayList<>(List.of("tiers"));
    arguments.addAll(command);
    arguments.addAll(List.of("--policy", config.tiers().policy()));
    arguments.addAll(List.of("--proofs", config.tiers().proofs()));
    arguments.addAll(List.of("--snapshot-root", config.place().hbaseRoot()));
    arguments.addAll(config.runs().options().tsd());
    addCoverageTable(arguments);
    arguments.addAll(List.of("--report", report));
    return arguments;
  }

  /** {@code rollup-job prune --delete} of the exports. */
  List<String> prune(String report) {
    List<String> arguments = new ArrayList<>(List.of("prune"));
    arguments.addAll(List.of("--snapshot-root", config.place().exportRoot()));
    arguments.addAll(List.of("--table", config.place().dataTable()));
    arguments.addAll(List.of("--table", config.place().uidTable()));
    arguments.addAll(List.of("--snapshot-pattern", config.snapshots().pattern().toString()));
    arguments.addAll(config.pruneOptions());
    arguments.addAll(List.of("--delete", "--report", report));
    return job(arguments);
  }
}
