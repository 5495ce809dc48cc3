package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.coverage.CoverageAdd;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.load.CoverageChoice;
import io.tsdbsuite.rollup.load.CoverageOutcome;
import io.tsdbsuite.rollup.load.EvidenceReport;
import io.tsdbsuite.rollup.load.SentCoverage;
import io.tsdbsuite.rollup.load.SentRun;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job coverage add}. */
@Command(
    name = "add",
    header = "Adds the window that the report of a run, or of a verify, proves.",
    description =
        """
        With the report of a run of rollup-job to Kafka it looks in the rollup tables until all \
        rollups of the run are there, and then whether queries see them and no others. \
        rollup-nightly does this by itself. With that of a run to HFiles the same, once they are \
        loaded, if the load did not cover them.

        With the report of a 'rollup-job verify --against-snapshot': it must have compared \
        everything and found no difference, and the rollup tables must have the regions of its \
        snapshots. From these snapshots on nobody may have removed or changed rollups of the \
        window by hand.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage add \\
            --evidence 2026-11-20.json --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:added; or the run proves nothing, for a reason that is shown",
      "2:wrong usage or configuration: the report is of another kind, of other tables, or of a"
          + " verify that proves nothing",
      "3:rollups of the run are missing after --patience, or HBase or storage failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageAddCommand extends RollupMain.Action {
  private static final String NAME = "rollup-job coverage add";
  private static final int VERSION = 1;

  @Option(
      names = "--evidence",
      paramLabel = "FILE",
      description =
          "The JSON report of the run or of the verify: a local file, or a URI with its scheme.")
  @Nullable String evidence;

  @Mixin CoverageOptions options = new CoverageOptions();

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "How long TSDs may take to store rollups of the run that are missing, for example 30m."
              + RollupCommand.DEFAULT)
  String patience = "10m";

  @Option(
      names = "--coverage-source-checked",
      description =
          "The data snapshot of the run was taken of the table that the TSDs of this HBase read,"
              + " although HBase does not have it any more.")
  boolean sourceChecked;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write what was added as JSON, even if it fails: a local file, or a URI with its"
              + " scheme.")
  @Nullable String report;

  @Option(names = DryRun.OPTION, description = "Only check the report and the tables.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    invocation.problems().require("--evidence", evidence);
    CoverageHBase hbase = options.read(invocation);
    Long seconds = invocation.problems().tried(() -> HoldBack.parse("--patience", "10m", patience));
    if (seconds == null || !invocation.problems().isEmpty()) {
      return invocation.refuse();
    }
    return SparkStart.driverOnly(() -> reported(hbase, Duration.ofSeconds(seconds), invocation));
  }

  /** Adds, and writes the report. */
  private ExitCode reported(CoverageHBase hbase, Duration wait, Invocation invocation) {
    ReportFile file = ReportFile.checked(dryRun ? null : report, SparkStart.hadoop());
    if (file == null) {
      return code(added(hbase, wait, invocation));
    }
    Instant started = invocation.clock().instant();
    CoverageOutcome outcome = CoverageOutcome.none(hbase.table(), "");
    ExitCode code = ExitCode.DONE;
    String message = "";
    try {
      outcome = added(hbase, wait, invocation);
      code = code(outcome);
      message = code == ExitCode.DONE ? "" : outcome.reason();
    } catch (JobException e) {
      code = e.exitCode();
      message = String.valueOf(e.getMessage());
      invocation.error(message);
    }
    Report written =
        new Report(NAME, VERSION)
            .outcome(code, message)
            .times(started, invocation.clock().instant());
    written.json().put("evidence", evidence);
    outcome.write(written.json().putObject("coverage"));
    file.write(written);
    return code;
  }

  /** Rollups that are missing may come. */
  private static ExitCode code(CoverageOutcome outcome) {
    return outcome.incomplete() ? ExitCode.OUTSIDE : ExitCode.DONE;
  }

  private CoverageOutcome added(CoverageHBase hbase, Duration wait, Invocation invocation) {
    String file = Objects.requireNonNull(evidence);
    byte[] json = ReportFile.of(file, SparkStart.hadoop()).bytes("--evidence");
    boolean isRun = EvidenceReport.read(file, json).value("/report").equals(ReportJson.NAME);
    CoverageHBase.Work<CoverageOutcome> adding =
        isRun ? sent(file, json, hbase, wait, invocation) : verified(file, json, hbase, invocation);
    return hbase.with(
        connection -> {
          CoverageOutcome outcome = adding.run(connection);
          if (outcome.incomplete()) {
            invocation.error(outcome.reason());
            return outcome;
          }
          String verb = dryRun ? "would add " : "added ";
          for (String line : outcome.lines()) {
            invocation.println(outcome.reason().isEmpty() ? verb + line : line);
          }
          outcome.notes().forEach(invocation::println);
          return outcome;
        });
  }

  private CoverageHBase.Work<CoverageOutcome> sent(
      String file, byte[] json, CoverageHBase hbase, Duration wait, Invocation invocation) {
    SentCoverage coverage =
        new SentCoverage(
            SentRun.read(file, json, hbase.schema(), hbase.rollups()),
            new CoverageChoice(hbase.table(), true, true, sourceChecked, Duration.ZERO),
            hbase.schema(),
            hbase.rollups(),
            hbase.files().codecs(),
            invocation.clock());
    return connection -> dryRun ? coverage.planned(connection) : coverage.add(connection, wait);
  }

  private CoverageHBase.Work<CoverageOutcome> verified(
      String file, byte[] json, CoverageHBase hbase, Invocation invocation) {
    CoverageAdd add = new CoverageAdd(file, json, hbase.schema().dataTable(), hbase.rollups());
    return connection ->
        new CoverageOutcome(
            hbase.table(),
            add.run(connection, hbase.table(), sourceChecked, dryRun, invocation.clock().millis()),
            "");
  }
}
