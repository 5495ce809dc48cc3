package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.coverage.CoverageAdd;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/** Runs {@code rollup-job coverage add}. */
final class CoverageAddRun {
  private CoverageAddRun() {}

  /** Runs if the options have no problems; otherwise prints all problems. */
  static ExitCode of(CoverageAddCommand command, Invocation invocation) {
    invocation.problems().require("--report", command.report);
    CoverageHBase hbase = new CoverageHBase(command.options, invocation);
    if (!invocation.problems().isEmpty()) {
      return invocation.console().refuse(invocation.problems());
    }
    return SparkStart.driverOnly(() -> add(command, hbase, invocation));
  }

  private static ExitCode add(
      CoverageAddCommand command, CoverageHBase hbase, Invocation invocation) {
    String file = Objects.requireNonNull(command.report);
    boolean dryRun = command.dryRun;
    Configuration hadoop = CoverageHBase.hadoop();
    byte[] json = ReportFile.of(file, hadoop).bytes("--report");
    CoverageAdd add = new CoverageAdd(file, json, hbase.schema().dataTable(), hbase.rollups());
    return hbase.with(
        hadoop,
        connection -> {
          String verb = dryRun ? "would add " : "added ";
          add.run(connection, hbase.table(), dryRun, invocation.clock().millis())
              .forEach(line -> invocation.console().println(verb + line));
          return ExitCode.DONE;
        });
  }
}
