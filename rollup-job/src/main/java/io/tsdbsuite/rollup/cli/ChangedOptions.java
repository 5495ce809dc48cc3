package io.tsdbsuite.rollup.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;

/** Checks the options for changed rows. */
final class ChangedOptions {
  private final RollupCommand command;
  private final Problems problems;

  /**
   * @param problems receives the problems found
   */
  ChangedOptions(RollupCommand command, Problems problems) {
    this.command = command;
    this.problems = problems;
  }

  /**
   * Returns the options; null if changed rows are not requested or there are problems.
   *
   * @param schema null if unknown
   * @param window of this run; null if unknown
   * @param intervals of this run; null if unknown
   */
  @Nullable ChangedSince read(
      @Nullable StorageSchema schema,
      WindowReader.@Nullable Window window,
      @Nullable RollupIntervals intervals) {
    problems.atLeast("--max-changed-rows", command.maxChangedRows, 1);
    if (command.refreshReport != null && command.sinceReport == null) {
      problems.add("--refresh-report goes with --since-report only");
      return null;
    }
    if (command.changedSince == null && command.sinceReport == null) {
      if (command.allowLost) {
        problems.add("--allow-lost goes with --changed-since or --since-report only");
      }
      return null;
    }
    if (command.changedSince != null && command.sinceReport != null) {
      problems.add("one of --changed-since and --since-report is enough, found: both");
      return null;
    }
    if (command.dryRun) {
      problems.add(
          "--changed-since and --since-report do not go with --dry-run: a plan reads no data");
    }
    if (schema != null && schema.useOtsdbTimestamp()) {
      problems.add(
          "--changed-since and --since-report do not go with tsd.storage.use_otsdb_timestamp ="
              + " true: cells then have the times of their points, and nothing in HBase says when"
              + " they were written");
    }
    try {
      return command.changedSince != null
          ? new ChangedSince(
              HourParser.time("--changed-since", command.changedSince),
              null,
              null,
              command.maxChangedRows,
              command.allowLost,
              null)
          : sinceReport(Objects.requireNonNull(command.sinceReport), schema, window, intervals);
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
    } catch (JobException e) {
      problems.add(e.getMessage());
    }
    return null;
  }

  private @Nullable ChangedSince sinceReport(
      String name,
      @Nullable StorageSchema schema,
      WindowReader.@Nullable Window window,
      @Nullable RollupIntervals intervals) {
    long margin = HoldBack.parse("--changed-margin", command.changedMargin);
    int before = problems.all().size();
    SinceReport report = report("--since-report", name);
    boolean done = report.check(command, schema, intervals);
    if (done && window != null) {
      report.requireNoGap(Instant.ofEpochSecond(window.from()));
    }
    Instant taken = problems.all().size() > before ? null : report.snapshotTime();
    ChangedSince.Earlier earlier =
        command.refreshReport == null
            ? null
            : earlier(command.refreshReport, margin, report.table(), schema, intervals);
    return taken == null
        ? null
        : new ChangedSince(
            taken.minusSeconds(margin),
            taken,
            report.table(),
            command.maxChangedRows,
            command.allowLost,
            report.dataFiles(),
            earlier);
  }

  private SinceReport report(String option, String name) {
    JsonNode tree = ReportFile.of(name, hadoop(name)).tree(option);
    return new SinceReport(option, name, tree, problems);
  }

  /**
   * The rows of {@code --refresh-report}; null if there are problems.
   *
   * @param table of the run of {@code --since-report}
   */
  private ChangedSince.@Nullable Earlier earlier(
      String name,
      long margin,
      String table,
      @Nullable StorageSchema schema,
      @Nullable RollupIntervals intervals) {
    int before = problems.all().size();
    SinceReport report = report("--refresh-report", name);
    boolean done = report.check(command, schema, intervals);
    if (!done || problems.all().size() > before) {
      return null;
    }
    Instant until = report.windowEnd();
    Instant taken = report.snapshotTime();
    Set<String> files = report.dataFiles();
    if (files == null || !report.table().equals(table)) {
      problems.add(
          "--refresh-report "
              + name
              + " must have dataFiles, and be of table "
              + table
              + ", found "
              + (files == null ? "none" : report.table()));
    }
    return until == null || taken == null || files == null
        ? null
        : new ChangedSince.Earlier(
            until.getEpochSecond(), taken.minusSeconds(margin), taken, files);
  }

  /** The Hadoop configuration given to spark-submit, read without a Spark application. */
  private static @Nullable Configuration hadoop(String name) {
    return ReportFile.isLocal(name)
        ? null
        : SparkHadoopUtil.get().newConfiguration(new SparkConf());
  }
}
