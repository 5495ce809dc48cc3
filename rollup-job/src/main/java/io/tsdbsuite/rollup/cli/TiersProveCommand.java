package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.IntervalsReader;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.idle.IdleProve;
import io.tsdbsuite.rollup.tiers.idle.IdleReport;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.rollup.tiers.proof.ProveJob;
import io.tsdbsuite.rollup.tiers.proof.ProveOptions;
import io.tsdbsuite.rollup.tiers.proof.ProveReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job tiers prove}. */
@Command(
    name = "prove",
    header = "Proves that rollups equal the data that may go, or which series are idle.",
    description =
        """
        Compares each day that a policy lets go as 'rollup-job verify' does, all of it, in each \
        interval, and writes a proof of what may be deleted. Of a rollup table that the policy \
        limits it compares the wider intervals with its rows. With --idle it proves instead that \
        series have no write for the time that the policy gives them. Deletes no data.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\
            tiers prove --policy tiers.json --snapshot-root s3a://backup/hbase \\
            --data-snapshot tsdb-20261120 --uid-snapshot tsdb-uid-20261120 \\
            --against-snapshot tsdb-rollup-1h-20261120 \\
            --tsd-config opentsdb.conf --proofs s3a://backup/proofs
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all days that were compared are proven",
      "1:some are refused, or a snapshot or a proof is damaged",
      "2:wrong usage or configuration, also a wrong policy",
      "3:an outside system failed (storage, Spark); run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class TiersProveCommand extends RollupMain.Action {
  private static final long DAY = 86400;
  private static final int MAX_DAYS = 31;

  @Mixin TiersInput input = new TiersInput();

  @Option(
      names = "--against-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "Snapshots of the rollup tables, under the same root, one for each interval of"
              + " rollup_config.json that rollup-job makes, and of the tables of their histograms,"
              + " taken after the data snapshot.")
  List<String> againstSnapshot = new ArrayList<>();

  @Option(
      names = "--proofs",
      paramLabel = "DIR",
      description =
          "Directory of the proofs: a local one that exists, or a URI with its scheme. A new proof"
              + " replaces that of its day and metrics.")
  @Nullable String proofs;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description =
          "Only this table of the policy: raw, or an interval like 1h. Default: all that the policy"
              + " limits; rollup tables need --coverage-table.")
  @Nullable String table;

  @Option(
      names = "--idle",
      description =
          "Instead of days prove which series have no write for the idle of their entry, in all"
              + " tables. Not with options of days.")
  boolean idle;

  @Option(
      names = "--match",
      paramLabel = "PATTERN",
      description = "With --idle: only the entry with this match. Default: all that have idle.")
  @Nullable String match;

  @Option(
      names = "--max-days",
      paramLabel = "N",
      description =
          "The most days of each table to compare: first the oldest day of each entry; then those"
              + " without a proof, the oldest first; then those of other snapshots, the oldest"
              + " proof first. Days that a former run has refused get at most half of the rest"
              + " until all others are compared. Default: 31.")
  @Nullable Integer maxDays;

  @Option(
      names = "--day",
      paramLabel = "DATE",
      description = "Only this day, UTC: 2026-10-19. Default: all that may go.")
  @Nullable String day;

  @Option(
      names = "--max-failed-rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Limit of failed rows of a day and entry, which stay. With an interval above 1h a day"
              + " with a failed row of a series is refused nevertheless."
              + RollupCommand.DEFAULT)
  long maxFailedRows;

  @Option(
      names = "--any-bucket",
      description =
          "Merge the rows of all salt buckets, as a TSD does. Default: a day with rows in another"
              + " bucket than that of their keys is refused.")
  boolean anyBucket;

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      description =
          "The coverage table in the live HBase of --tsd-config, for its floors: days below the"
              + " floor of a metric are not proven again, and rollup tables are proven only below"
              + " the floor of what they are made of. Default: none; then a day of which raw data"
              + " are gone is refused, and no rollup table is proven.")
  @Nullable String coverageTable;

  @Mixin HBaseOptions hbase = new HBaseOptions();

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
          "Only list the days that would be compared; with --idle only count. Writes nothing.")
  boolean dryRun;

  @Override
  ExitCode run(Invocation invocation) {
    ProveOptions options = read(invocation);
    CoverageHBase coverage =
        coverageTable == null || input.files == null
            ? null
            : CoverageOptions.of(coverageTable, input.files, hbase, invocation.problems());
    return options == null || !invocation.problems().isEmpty()
        ? invocation.refuse()
        : prove(options, coverage, invocation);
  }

  /** Returns the options; null if there are problems. */
  private @Nullable ProveOptions read(Invocation invocation) {
    Problems problems = invocation.problems();
    TiersOptions tiers = input.read(againstSnapshot, false, null, 0, invocation);
    problems.require("--proofs", proofs);
    String problem = proofs == null ? "" : ProofStore.problem(proofs);
    if (!problem.isEmpty()) {
      problems.add(problem);
    }
    if (table != null && input.tiers != null && !input.tiers.limits(table)) {
      problems.add(
          "--table must be one that the policy limits (%s), found: %s"
              .formatted(String.join(", ", input.tiers.limited()), table));
    }
    int most = maxDays == null ? MAX_DAYS : maxDays;
    problems.atLeast("--max-days", most, 1);
    idle(problems);
    problems.atLeast("--max-failed-rows", maxFailedRows, 0);
    if (againstSnapshot.isEmpty()) {
      problems.add("--against-snapshot is required");
    }
    if (new HashSet<>(againstSnapshot).size() < againstSnapshot.size()) {
      problems.add(
          "--against-snapshot must not have a snapshot twice, found: "
              + String.join(",", againstSnapshot));
    }
    String given = day;
    Long begin = given == null ? null : problems.tried(() -> HourParser.day("--day", given));
    RollupIntervals intervals = tiers == null ? null : intervals(tiers, problems);
    if (tiers != null) {
      check(tiers.schema(), problems);
    }
    return problems.isEmpty()
        ? new ProveOptions(
            Objects.requireNonNull(tiers),
            Objects.requireNonNull(intervals),
            dryRun ? 0 : most,
            table,
            begin == null ? null : (int) (begin / DAY),
            maxFailedRows,
            anyBucket,
            new TaskOptions().partitionBytes(),
            ProgramVersion.of("rollup-job", TiersProveCommand.class))
        : null;
  }

  /** Checks the options of idle series. */
  private void idle(Problems problems) {
    if (!idle) {
      if (match != null) {
        problems.add("--match must be given with --idle, found: " + match);
      }
      return;
    }
    TiersInput.requireAllTables(input.files == null ? null : input.files.rollups(), problems);
    Map<String, @Nullable Object> ofDays = new LinkedHashMap<>();
    ofDays.put("--table", table);
    ofDays.put("--day", day);
    ofDays.put("--max-days", maxDays);
    ofDays.put("--max-failed-rows", maxFailedRows == 0 ? null : maxFailedRows);
    ofDays.put("--coverage-table", coverageTable);
    ofDays.forEach(
        (option, value) -> {
          if (value != null) {
            problems.add(option + " must not be given with --idle, found: " + value);
          }
        });
    List<String> found =
        input.tiers == null
            ? List.of()
            : input.tiers.entries().stream()
                .filter(entry -> entry.idle() > 0)
                .map(Policy.Entry::match)
                .toList();
    if (input.tiers != null && found.isEmpty()) {
      problems.add("--policy must have an entry with idle, found none");
    } else if (input.tiers != null && match != null && !found.contains(match)) {
      problems.add(
          "--match must be that of an entry with idle (%s), found: %s"
              .formatted(String.join(", ", found), match));
    }
  }

  /** All intervals that rollup-job makes: a policy keeps each of them longer than raw data. */
  private static @Nullable RollupIntervals intervals(TiersOptions tiers, Problems problems) {
    List<String> names =
        tiers.rollups().intervals().stream()
            .filter(PolicyReader::isMade)
            .map(RollupInterval::interval)
            .toList();
    List<RollupInterval> read = IntervalsReader.read(tiers.rollups(), names, problems);
    if (read.isEmpty()) {
      problems.add("rollup configuration: must have an interval that rollup-job makes, found none");
    }
    return problems.isEmpty() ? new RollupIntervals(read) : null;
  }

  private static void check(StorageSchema schema, Problems problems) {
    if (schema.useOtsdbTimestamp()) {
      problems.add(
          "tsd.storage.use_otsdb_timestamp must be false, because a point that comes late would"
              + " have an old timestamp and could be deleted unproven, found: true");
    }
    if (schema.tagRaw()) {
      problems.add(
          "tsd.rollups.tag_raw must be false, because the rows of rollups would have a tag more"
              + " than those of raw data, found: true");
    }
  }

  private ExitCode prove(
      ProveOptions options, @Nullable CoverageHBase coverage, Invocation invocation) {
    HBaseVersion.require();
    try (JavaSparkContext spark = SparkStart.start(false)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      ReportFile file = ReportFile.checked(report, spark.hadoopConfiguration());
      ProofStore store =
          new ProofStore(Objects.requireNonNull(proofs), spark.hadoopConfiguration());
      if (idle) {
        IdleReport found =
            new IdleProve(spark, options, match, dryRun, store, invocation.clock()).run();
        invocation.end(found.report(), found.message(), dryRun ? null : file);
        if (dryRun) {
          invocation.print(new DryRun().end("nothing was written"));
        }
        return found.exitCode();
      }
      long now = invocation.clock().millis();
      Coverage known =
          coverage == null
              ? null
              : coverage.with(
                  spark.hadoopConfiguration(), connection -> coverage.read(connection, now));
      ProveReport found = new ProveJob(spark, options, store, known, invocation.clock()).run();
      invocation.end(found.report(), found.message(), dryRun ? null : file);
      if (dryRun) {
        invocation.print(new DryRun().end("nothing was compared or written"));
      }
      return found.exitCode();
    }
  }
}
