package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job coverage verify}; {@link CoverageVerifyRun} has its work. */
@Command(
    name = "verify",
    header = "Proves windows again by comparing snapshots, and removes those that are wrong.",
    description =
        """
        Compares the rollups of each window that lies in --from to --to as 'rollup-job verify \
        --against-snapshot' does. If a rollup is missing, extra or different, it removes the \
        window and all others that claim these times and were not proven again. Take the snapshot \
        of the data first, directly after a run has found the late rows: points that came later \
        make a window different.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar coverage verify \\
            --snapshot-root s3a://backup/hbase --data-snapshot tsdb-20261120 \\
            --uid-snapshot tsdb-uid-20261120 --tsd-config opentsdb.conf --day 2026-11-19 \\
            --against-snapshot tsdb-rollup-1h-20261121
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all windows were proven again, or there are none",
      "1:windows are wrong and were removed; or windows could not be compared, because the input is"
          + " corrupt",
      "2:wrong usage or configuration; or the snapshots do not suit a window, or it has an open"
          + " mask",
      "3:an outside system failed (storage, HBase, Spark); run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class CoverageVerifyCommand extends RollupMain.Action {
  @Option(
      names = "--against-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "Snapshots of the rollup tables, one for the table of each --interval, and of the tables"
              + " of their histograms and packed rollups if suite of rollup_config.json has any,"
              + " taken after the windows were written.")
  List<String> againstSnapshot = new ArrayList<>();

  @Option(
      names = "--rollup-root",
      paramLabel = "URI",
      description = "Root of the snapshots of the rollup tables. Default: --snapshot-root.")
  @Nullable String rollupRoot;

  @Mixin InputOptions input = new InputOptions();

  @Option(
      names = "--metrics",
      paramLabel = "PATTERN",
      split = ",",
      description =
          "Only windows whose metrics are exactly these patterns; '*' for windows of all metrics."
              + " Default: all windows.")
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--any-bucket",
      description = "Merge the rows of all salt buckets, as in rollup-job.")
  boolean anyBucket;

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      defaultValue = CoverageRows.DEFAULT_TABLE,
      description = "The coverage table." + RollupCommand.DEFAULT)
  String coverageTable = CoverageRows.DEFAULT_TABLE;

  @Option(
      names = DryRun.OPTION,
      description = "Only list the windows. Compares nothing, and removes nothing.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    VerifyCommand verify = comparison();
    CommonInput common = verify.common(invocation);
    UidSettings uids = verify.uids(common, true, problems);
    problems.require("--against-snapshot", againstSnapshot.isEmpty() ? null : againstSnapshot);
    VerifyOptions options =
        againstSnapshot.isEmpty() ? null : verify.read(common.files(), problems);
    CoverageHBase hbase = CoverageOptions.of(coverageTable, common.files(), input.hbase, problems);
    if (options == null || !problems.isEmpty()) {
      return invocation.refuse();
    }
    common.warnings().forEach(invocation::warn);
    return new CoverageVerifyRun(this, common, hbase, invocation).run(uids, options);
  }

  /** The same as a comparison of its own. */
  VerifyCommand comparison() {
    VerifyCommand verify = new VerifyCommand();
    verify.againstSnapshot = againstSnapshot;
    verify.rollupRoot = rollupRoot;
    verify.input = input;
    verify.choice.anyBucket = anyBucket;
    return verify;
  }
}
