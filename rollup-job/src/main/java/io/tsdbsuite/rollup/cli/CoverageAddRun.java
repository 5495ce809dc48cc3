package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.coverage.CoverageAdd;
import io.tsdbsuite.rollup.load.CoverageChoice;
import io.tsdbsuite.rollup.load.CoverageOutcome;
import io.tsdbsuite.rollup.load.EvidenceReport;
import io.tsdbsuite.rollup.load.SentCoverage;
import io.tsdbsuite.rollup.load.SentRun;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.report.ReportJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;

/** Runs {@code rollup-job coverage add}. */
final class CoverageAddRun {
  private static final String NAME = "rollup-job coverage add";
  private static final int VERSION = 1;

  private final CoverageAddCommand command;
  private final CoverageHBase hbase;
  private final Duration patience;
  private final Invocation invocation;

  private CoverageAddRun(
      CoverageAddCommand command, CoverageHBase hbase, Duration patience, Invocation invocation) {
    this.command = command;
    this.hbase = hbase;
    this.patience = patience;
    this.invocation = invocation;
  }

  /** Runs if the options have no problems; otherwise prints all problems. */
  static ExitCode of(CoverageAddCommand command, Invocation invocation) {
    invocation.problems().require("--evidence", command.evidence);
    CoverageHBase hbase = new CoverageHBase(command.options, invocation);
    long seconds =
        Objects.requireNonNullElse(
            invocation.problems().tried(() -> HoldBack.parse("--patience", command.patience)), 0L);
    if (!invocation.problems().isEmpty()) {
      return invocation.console().refuse(invocation.problems());
    }
    CoverageAddRun run =
        new CoverageAddRun(command, hbase, Duration.ofSeconds(seconds), invocation);
    return SparkStart.driverOnly(run::reported);
  }

  /** Adds, and writes the report. */
  private ExitCode reported() {
    Configuration hadoop = CoverageHBase.hadoop();
    ReportFile file =
        command.report == null || command.dryRun ? null : ReportFile.of(command.report, hadoop);
    if (file == null) {
      return code(added(hadoop));
    }
    file.check();
    Instant started = invocation.clock().instant();
    CoverageOutcome outcome = CoverageOutcome.none(hbase.table(), "");
    ExitCode code = ExitCode.DONE;
    String message = "";
    try {
      outcome = added(hadoop);
      code = code(outcome);
      message = code == ExitCode.DONE ? "" : outcome.reason();
    } catch (JobException e) {
      code = e.exitCode();
      message = String.valueOf(e.getMessage());
      invocation.console().error(message);
    }
    Report report =
        new Report(NAME, VERSION)
            .outcome(code, message)
            .times(started, invocation.clock().instant());
    report.json().put("evidence", command.evidence);
    outcome.write(report.json().putObject("coverage"));
    file.write(report);
    return code;
  }

  /** Rollups that are missing may come. */
  private static ExitCode code(CoverageOutcome outcome) {
    return outcome.incomplete() ? ExitCode.OUTSIDE : ExitCode.DONE;
  }

  private CoverageOutcome added(Configuration hadoop) {
    String file = Objects.requireNonNull(command.evidence);
    byte[] json = ReportFile.of(file, hadoop).bytes("--evidence");
    boolean isRun = EvidenceReport.read(file, json).value("/report").equals(ReportJson.NAME);
    Adding adding = isRun ? sent(file, json) : verified(file, json);
    return hbase.with(
        hadoop,
        connection -> {
          CoverageOutcome outcome = adding.run(connection);
          if (outcome.incomplete()) {
            invocation.console().error(outcome.reason());
            return outcome;
          }
          String verb = command.dryRun ? "would add " : "added ";
          for (String line : outcome.lines()) {
            invocation.console().println(outcome.reason().isEmpty() ? verb + line : line);
          }
          return outcome;
        });
  }

  /** Adds the windows of a report. */
  @FunctionalInterface
  private interface Adding {
    CoverageOutcome run(Connection connection) throws IOException;
  }

  private Adding sent(String file, byte[] json) {
    SentCoverage coverage =
        new SentCoverage(
            SentRun.read(file, json, hbase.schema(), hbase.rollups()),
            new CoverageChoice(hbase.table(), true, true, command.sourceChecked, Duration.ZERO),
            hbase.schema(),
            hbase.rollups(),
            invocation.clock());
    return connection ->
        command.dryRun ? coverage.planned(connection) : coverage.add(connection, patience);
  }

  private Adding verified(String file, byte[] json) {
    CoverageAdd add = new CoverageAdd(file, json, hbase.schema().dataTable(), hbase.rollups());
    return connection ->
        new CoverageOutcome(
            hbase.table(),
            add.run(
                connection,
                hbase.table(),
                command.sourceChecked,
                command.dryRun,
                invocation.clock().millis()),
            "");
  }
}
