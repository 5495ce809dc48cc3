package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.TiersPage;
import io.tsdbsuite.rollup.tiers.TiersPlan;
import io.tsdbsuite.rollup.tiers.TiersPlanJob;
import io.tsdbsuite.rollup.tiers.TiersReport;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
      "1:a snapshot or a proof is damaged",
      "2:wrong usage or configuration, also a wrong policy",
      "3:storage failed; run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class TiersPlanCommand extends RollupMain.Action {
  @Mixin TiersInput input = new TiersInput();

  @Option(
      names = "--rollup-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "Snapshots of rollup tables, at least of those that the policy limits. Can be repeated.")
  List<String> rollupSnapshots = new ArrayList<>();

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

  @Option(
      names = "--proofs",
      paramLabel = "DIR",
      description =
          "The directory of the proofs of 'tiers prove': also says of which days that could go a"
              + " proof is missing. Default: none.")
  @Nullable String proofs;

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
    problems.atLeast("--top", top, 0);
    if (price != null && !(price >= 0 && price < Double.POSITIVE_INFINITY)) {
      problems.add("--price must be a number, 0 or more, found: " + price);
    }
    return input.read(rollupSnapshots, allowSkipFlush, price, top, invocation);
  }

  private ExitCode plan(TiersOptions options, Invocation invocation) {
    HBaseVersion.require();
    Configuration hadoop = SparkStart.hadoop();
    ReportFile file = ReportFile.checked("--page", page, hadoop);
    ProofStore store = proofs == null ? null : new ProofStore(proofs, hadoop);
    TiersPlan plan = new TiersPlanJob(hadoop, options, invocation.clock().instant()).run();
    if (store != null) {
      plan = store.look(plan);
    }
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
