package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.spark.SubmittedFiles;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.TiersPage;
import io.tsdbsuite.rollup.tiers.TiersPlan;
import io.tsdbsuite.rollup.tiers.TiersPlanJob;
import io.tsdbsuite.rollup.tiers.TiersReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job tiers plan}. */
@Command(
    name = "plan",
    header = "Prints the bytes by metric, day and table, and what could go under a policy.",
    description =
        """
        From the indexes of the HFiles of snapshots; no row is read where an index says enough. \
        Says how exact it is. Deletes and writes nothing but --page.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\
            tiers plan --policy tiers.json --snapshot-root s3a://backup/hbase \\
            --data-snapshot tsdb-20261120 --uid-snapshot tsdb-uid-20261120 \\
            --rollup-snapshot tsdb-rollup-1h-20261120 \\
            --tsd-config opentsdb.conf --page tiers.html
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:planned",
      "1:a snapshot is damaged",
      "2:wrong usage or configuration, also a wrong policy",
      "3:storage failed; run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class TiersPlanCommand extends RollupMain.Action {
  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The policy, JSON (docs/tiers.md).")
  @Nullable Path policy;

  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description =
          "HBase root directory or target of ExportSnapshot: s3a://, hdfs:// or"
              + " file:///. Read-only.")
  @Nullable String snapshotRoot;

  @Option(
      names = "--data-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the data table (tsdb).")
  @Nullable String dataSnapshot;

  @Option(
      names = "--uid-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the UID table (tsdb-uid), taken after the data snapshot.")
  @Nullable String uidSnapshot;

  @Option(
      names = "--rollup-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "Snapshots of rollup tables, at least of those that the policy limits. Can be repeated.")
  List<String> rollupSnapshots = new ArrayList<>();

  @Mixin TsdOptions tsd = new TsdOptions();

  @Option(
      names = "--allow-skip-flush",
      description =
          "Read snapshots taken with SKIP_FLUSH, which lack the data that were only in memory.")
  boolean allowSkipFlush;

  @Option(
      names = "--price",
      paramLabel = "PRICE",
      description =
          "Price of 10^9 bytes of HFiles for a month, all replicas included; also prints what is"
              + " saved. Default: none.")
  @Nullable Double price;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Number of metrics to list for each table, those with the most bytes; the others are"
              + " summed."
              + RollupCommand.DEFAULT)
  int top = 20;

  @Option(names = "--json", description = "Print a JSON object instead of text.")
  boolean json;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "Also write a page with plots, one HTML file that loads nothing: a local file, or a URI"
              + " with its scheme. Default: none.")
  @Nullable String page;

  @Override
  ExitCode run(Invocation invocation) {
    TiersOptions options = read(invocation);
    return options == null
        ? invocation.refuse()
        : SparkStart.driverOnly(() -> plan(options, invocation));
  }

  /** Returns the options; null if there are problems. */
  private @Nullable TiersOptions read(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--policy", policy);
    problems.require("--snapshot-root", snapshotRoot);
    problems.require("--data-snapshot", dataSnapshot);
    problems.require("--uid-snapshot", uidSnapshot);
    problems.atLeast("--top", top, 0);
    if (price != null && !(price >= 0 && price < Double.POSITIVE_INFINITY)) {
      problems.add("--price must be a number, 0 or more, found: " + price);
    }
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, problems);
    Policy read = policy(files.rollups(), problems);
    return problems.isEmpty()
        ? new TiersOptions(
            Objects.requireNonNull(read),
            Objects.requireNonNull(snapshotRoot),
            Objects.requireNonNull(dataSnapshot),
            Objects.requireNonNull(uidSnapshot),
            List.copyOf(rollupSnapshots),
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            allowSkipFlush,
            price,
            top)
        : null;
  }

  /** Reads the policy; null if it cannot be read. */
  private @Nullable Policy policy(@Nullable RollupConfig rollups, Problems problems) {
    if (policy == null || rollups == null) {
      return null;
    }
    String what = "--policy " + policy;
    try (InputStream in = Files.newInputStream(SubmittedFiles.local(policy))) {
      byte[] bytes = in.readNBytes(PolicyReader.MAX_BYTES + 1);
      if (bytes.length > PolicyReader.MAX_BYTES) {
        problems.add(what + " must have at most " + PolicyReader.MAX_BYTES + " bytes, found more");
        return null;
      }
      List<String> found = new ArrayList<>();
      Policy read = PolicyReader.read(bytes, rollups, found);
      problems.addAll(what, found);
      return read;
    } catch (IOException e) {
      problems.unreadable("--policy", policy, e);
      return null;
    }
  }

  private ExitCode plan(TiersOptions options, Invocation invocation) {
    HBaseVersion.require();
    Configuration hadoop = SparkStart.hadoop();
    ReportFile file = ReportFile.checked("--page", page, hadoop);
    TiersPlan plan = new TiersPlanJob(hadoop, options, invocation.clock().instant()).run();
    plan.warnings().forEach(invocation::warn);
    Report report = new TiersReport(plan).report();
    invocation.print(json ? report.jsonText() : report.table().toString());
    if (file != null) {
      byte[] html = new TiersPage(plan).html().getBytes(StandardCharsets.UTF_8);
      file.write(stream -> stream.write(html));
    }
    if (!plan.booksClose()) {
      throw Defects.openBooks();
    }
    return ExitCode.DONE;
  }
}
