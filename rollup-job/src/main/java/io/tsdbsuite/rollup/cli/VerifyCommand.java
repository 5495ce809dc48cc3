package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import io.tsdbsuite.rollup.verify.job.VerifyJob;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job verify}. */
@Command(
    name = "verify",
    header = "Compares stored rollups with rollups computed from a snapshot of raw data.",
    description =
        """
        Rolls up a window again and compares sum, min, max and count of each series and interval, \
        and what suite of rollup_config.json selects, with the rollup tables, from their snapshots \
        or through a TSD. Writes only its report.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar verify \\
            --snapshot-root s3a://backup/hbase --data-snapshot tsdb-20261120 \\
            --uid-snapshot tsdb-uid-20261120 --tsd-config opentsdb.conf --day 2026-11-19 \\
            --against-snapshot tsdb-rollup-1h-20261121
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all rollups are stored as raw data make them, and nothing else is",
      "1:some are missing, extra or different, or the input is corrupt",
      "2:wrong usage or configuration",
      "3:an outside system failed (storage, TSD, Spark); run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class VerifyCommand extends RollupMain.Action {
  private static final double PERCENT = 100;

  @Option(
      names = "--against-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "Snapshots of the rollup tables, one for the table of each --interval, and of the tables"
              + " of their histograms and packed rollups if suite of rollup_config.json has any,"
              + " taken after the rollups of the window were stored. Compares everything, including"
              + " stored series that the raw data lack.")
  List<String> againstSnapshot = new ArrayList<>();

  @Option(
      names = "--against-tsd",
      paramLabel = "URL",
      description =
          "A TSD that reads the rollup tables, http://host:4242. Queries each series of"
              + " the raw data, so stored series that the raw data lack are not found.")
  @Nullable String againstTsd;

  @Option(
      names = "--rollup-root",
      paramLabel = "URI",
      description = "Root of the snapshots of the rollup tables. Default: --snapshot-root.")
  @Nullable String rollupRoot;

  @Option(
      names = "--sample",
      paramLabel = "FRACTION",
      defaultValue = "1",
      description =
          "Fraction of the series to compare, chosen by a hash of each series: 0.01, or"
              + " 1%%; 1 is all."
              + RollupCommand.DEFAULT)
  String sample = "1";

  @Option(
      names = "--min-series",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "Number of series that --sample must have, or all if there are fewer: while it has fewer,"
              + " a larger one is compared."
              + RollupCommand.DEFAULT)
  int minSeries = 100;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Seed of --sample; another seed selects other series." + RollupCommand.DEFAULT)
  long seed;

  @Option(
      names = "--tsd-queries",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of concurrent queries to --against-tsd." + RollupCommand.DEFAULT)
  int tsdQueries = 2;

  @Mixin InputOptions input = new InputOptions();

  @Mixin ChoiceOptions choice = new ChoiceOptions();

  @Mixin TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      description =
          "The coverage table in the live HBase of --tsd-config, for its floors: rollups below the"
              + " floor of their metric are not compared, since their raw data may be gone."
              + " Default: none; then they are extra.")
  @Nullable String coverageTable;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Destination of the JSON report: a local file, or a URI with its scheme."
              + " Default: none.")
  @Nullable String report;

  @Option(
      names = DryRun.OPTION,
      description =
          "Only plan: regions, HFiles, bytes and partitions, from manifests and indexes. Compares"
              + " nothing, asks no TSD, and writes no report.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    CommonInput common = common(invocation);
    UidSettings uids = uids(common, coverageTable != null, invocation.problems());
    String table = coverageTable;
    CoverageHBase coverage =
        table == null
            ? null
            : CoverageOptions.of(table, common.files(), input.hbase, invocation.problems());
    VerifyOptions verify = read(common.files(), invocation.problems());
    if (verify == null) {
      return invocation.refuse();
    }
    common.warnings().forEach(invocation::warn);
    return compare(common.options(uids, null, AsOf.SNAPSHOT), verify, coverage, invocation);
  }

  /** Reads the options that rollup-job has too. */
  CommonInput common(Invocation invocation) {
    return CommonInput.read(input, choice, tasks, false, null, invocation);
  }

  /** Reads the source of names; {@code live} as of {@link InputOptions#uids}. */
  UidSettings uids(CommonInput common, boolean live, Problems problems) {
    return input.uids(
        !choice.metrics.isEmpty(), null, false, live, common.files().config(), problems);
  }

  /**
   * Reads the other options; null if there are problems.
   *
   * @param files configuration files of the TSD
   */
  @Nullable VerifyOptions read(TsdFiles files, Problems problems) {
    boolean snapshots = !againstSnapshot.isEmpty();
    if (snapshots == (againstTsd != null)) {
      problems.add(
          "one of --against-snapshot and --against-tsd is required, found: "
              + (snapshots ? "both" : "none"));
    }
    if (new HashSet<>(againstSnapshot).size() < againstSnapshot.size()) {
      problems.add(
          "--against-snapshot must not have a snapshot twice, found: "
              + String.join(",", againstSnapshot));
    }
    if (!snapshots) {
      problems.refuse("--rollup-root", rollupRoot, "goes with --against-snapshot only");
    }
    problems.atLeast("--tsd-queries", tsdQueries, 1);
    problems.atLeast("--min-series", minSeries, 1);
    if (snapshots && files.schema() != null && files.schema().tagRaw()) {
      problems.add(
          "--against-snapshot does not know rollups of a TSD with tsd.rollups.tag_raw = true, whose"
              + " rows have a tag more than those of the raw data: use --against-tsd");
    }
    URI tsd = tsd(problems);
    SeriesSample series = sample(problems);
    String root = rollupRoot == null ? input.snapshots.root : rollupRoot;
    RollupConfig rollups = files.rollups();
    if (!problems.isEmpty() || root == null || series == null || rollups == null) {
      return null;
    }
    return new VerifyOptions(
        root,
        List.copyOf(againstSnapshot),
        tsd,
        tsdQueries,
        series,
        Aggregators.of(rollups, files.codecs()),
        choice.metrics.isEmpty() ? "*" : String.join(",", choice.metrics),
        List.of(),
        null);
  }

  private @Nullable URI tsd(Problems problems) {
    if (againstTsd == null) {
      return null;
    }
    try {
      URI uri = URI.create(againstTsd);
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getQuery() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // The problem follows.
    }
    problems.add("--against-tsd must be like http://host:4242, found: " + againstTsd);
    return null;
  }

  private @Nullable SeriesSample sample(Problems problems) {
    String text = sample.strip();
    try {
      boolean percent = text.endsWith("%");
      double number = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
      double fraction = percent ? number / PERCENT : number;
      if (fraction > 0 && fraction <= 1) {
        return new SeriesSample(fraction, Math.max(1, minSeries), seed);
      }
    } catch (NumberFormatException e) {
      // The problem follows.
    }
    problems.add(
        "--sample must be a part of the series, more than 0 and at most 1, found: " + sample);
    return null;
  }

  private ExitCode compare(
      RollupOptions options,
      VerifyOptions verify,
      @Nullable CoverageHBase coverage,
      Invocation invocation) {
    HBaseVersion.require();
    try (JavaSparkContext spark = SparkStart.start(false)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      long now = invocation.clock().millis();
      VerifyOptions above =
          coverage == null
              ? verify
              : verify.withFloors(
                  coverage.with(
                      spark.hadoopConfiguration(),
                      connection -> coverage.read(connection, now).floors()));
      VerifyJob job = new VerifyJob(spark, options, above, invocation.clock());
      if (dryRun) {
        invocation.print(job.plan());
        return ExitCode.DONE;
      }
      ReportFile file = ReportFile.checked(report, spark.hadoopConfiguration());
      VerifyReport found = job.run();
      invocation.end(
          found.report(), found.exitCode() == ExitCode.DONE ? "" : found.message(), file);
      return found.exitCode();
    }
  }
}
