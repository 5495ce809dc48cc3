package io.tsdbsuite.rollup.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
<<<<<<< ours
import io.tsdbsuite.rollup.coverage.CoverageAdd;
import io.tsdbsuite.rollup.load.CoverageChoice;
import io.tsdbsuite.rollup.load.CoverageOutcome;
import io.tsdbsuite.rollup.load.LoadReportJson;
import io.tsdbsuite.rollup.load.SentCoverage;
import io.tsdbsuite.rollup.load.SentRun;
import io.tsdbsuite.rollup.plan.HoldBack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
=======
>>>>>>> theirs
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rollup-job coverage add}. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Adds the window that the report of a run to Kafka, or of a verify, proves.",
    description =
        """
        With the report of a run of rollup-job to Kafka it looks in the rollup tables until all \
        rollups of the run are there, and then whether queries see them and no others. \
        rollup-nightly does this by itself.

        With the report of a 'rollup-job verify --against-snapshot': it must have compared \
        everything and found no difference, and the rollup tables must have the regions of its \
        snapshots. From these snapshots on nobody may have removed or changed rollups of the \
        window by hand.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage add \\
            --evidence 2026-11-20.json --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:added; or the run to Kafka proves nothing, for a reason that is shown",
      "2:wrong usage or configuration: the report is of another kind, of other tables, or of a"
          + " verify that proves nothing",
      "3:rollups of the run are missing after --patience, or HBase or storage failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class CoverageAddCommand implements CoverageCommand.Part {
  private static final ObjectMapper MAPPER = new ObjectMapper();
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
  public ExitCode run(Invocation invocation) {
<<<<<<< ours
    invocation.problems().require("--evidence", evidence);
    CoverageHBase hbase = new CoverageHBase(options, invocation);
    long seconds =
        Objects.requireNonNullElse(
            invocation.problems().tried(() -> HoldBack.parse("--patience", patience)), 0L);
    if (!invocation.problems().isEmpty()) {
      return invocation.console().refuse(invocation.problems());
    }
    return SparkStart.driverOnly(
        () ->
            reported(
                hbase, Objects.requireNonNull(evidence), Duration.ofSeconds(seconds), invocation));
  }

  /** Adds, and writes the report. */
  private ExitCode reported(
      CoverageHBase hbase, String file, Duration wait, Invocation invocation) {
    Configuration hadoop = CoverageHBase.hadoop();
    ReportFile target = report == null || dryRun ? null : ReportFile.of(report, hadoop);
    if (target != null) {
      target.check();
    }
    Instant started = invocation.clock().instant();
    CoverageOutcome outcome = CoverageOutcome.none(hbase.table(), "");
    ExitCode code = ExitCode.DONE;
    String message = "";
    try {
      outcome = added(hbase, hadoop, file, wait, invocation);
    } catch (JobException e) {
      if (target == null) {
        throw e;
      }
      code = e.exitCode();
      message = String.valueOf(e.getMessage());
      invocation.console().error(message);
    }
    if (target != null) {
      ObjectNode root = MAPPER.createObjectNode();
      root.put("report", NAME);
      root.put("v", VERSION);
      root.put("state", "ended");
      root.put("exitCode", code.code());
      root.put("outcome", code.name().toLowerCase(Locale.ROOT));
      root.put("message", message);
      root.put("started", started.toString());
      root.put("ended", invocation.clock().instant().toString());
      root.put("evidence", file);
      LoadReportJson.coverage(root.putObject("coverage"), outcome);
      target.write(
          stream ->
              stream.write(
                  (root.toPrettyString() + System.lineSeparator())
                      .getBytes(StandardCharsets.UTF_8)));
    }
    return code;
  }

  private CoverageOutcome added(
      CoverageHBase hbase,
      Configuration hadoop,
      String file,
      Duration wait,
      Invocation invocation) {
    byte[] json = ReportFile.of(file, hadoop).bytes("--evidence");
    Adding adding =
        SentRun.isReport(json)
            ? sent(hbase, file, json, wait, invocation)
            : verified(hbase, file, json, invocation);
    CoverageOutcome[] outcome = new CoverageOutcome[1];
    ExitCode unused =
        hbase.with(
            hadoop,
            connection -> {
              outcome[0] = adding.run(connection);
              return ExitCode.DONE;
            });
    String verb = dryRun ? "would add " : "added ";
    for (String line : outcome[0].lines()) {
      invocation.console().println(outcome[0].reason().isEmpty() ? verb + line : line);
    }
    return outcome[0];
  }

  /** Adds the windows of a report. */
  @FunctionalInterface
  private interface Adding {
    CoverageOutcome run(Connection connection) throws IOException;
  }

  private Adding sent(
      CoverageHBase hbase, String file, byte[] json, Duration wait, Invocation invocation) {
    SentCoverage coverage =
        new SentCoverage(
            SentRun.read(file, json, hbase.schema(), hbase.rollups()),
            new CoverageChoice(hbase.table(), true, true, sourceChecked, Duration.ZERO),
            hbase.schema(),
            hbase.rollups(),
            invocation.clock());
    return connection -> dryRun ? coverage.planned(connection) : coverage.add(connection, wait);
  }

  private Adding verified(CoverageHBase hbase, String file, byte[] json, Invocation invocation) {
    CoverageAdd add = new CoverageAdd(file, json, hbase.schema().dataTable(), hbase.rollups());
    return connection ->
        new CoverageOutcome(
            hbase.table(),
            add.run(connection, hbase.table(), dryRun, invocation.clock().millis()),
            "");
=======
    return CoverageAddRun.of(this, invocation);
>>>>>>> theirs
  }
}
