package io.tsdbsuite.rollup.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.job.ChangedSince;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.report.ReportJson;
import java.time.DateTimeException;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Checks the options about rows that have changed. */
final class ChangedOptions {
  private final RollupCommand command;
  private final Problems problems;

  /**
   * @param problems receives what is wrong
   */
  ChangedOptions(RollupCommand command, Problems problems) {
    this.command = command;
    this.problems = problems;
  }

  /**
   * The options; null when rows that have changed do not matter, or something is wrong.
   *
   * @param schema null when it is not known
   */
  ChangedSince read(StorageSchema schema) {
    problems.atLeast("--max-changed-rows", command.maxChangedRows, 1);
    if (command.changedSince == null && command.sinceReport == null) {
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
              command.maxChangedRows)
          : sinceReport();
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    } catch (RollupException e) {
      problems.add(e.getMessage());
    }
    return null;
  }

  private ChangedSince sinceReport() {
    long margin = HoldBack.parse("--changed-margin", command.changedMargin);
    JsonNode report = ReportFile.of(command.sinceReport, hadoop()).tree("--since-report");
    require(ReportJson.NAME.equals(report.path("report").asText()), "must be a report of this job");
    require(
        report.path("exitCode").asInt(-1) == ExitCode.DONE.code(),
        "must be of a run that is done: bring that one to its end first (--resume)");
    String time = report.at("/input/dataSnapshotTime").asText();
    try {
      return new ChangedSince(
          Instant.parse(time).minusSeconds(margin),
          report.at("/input/dataTable").asText(),
          command.maxChangedRows);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "--since-report " + command.sinceReport + " has no dataSnapshotTime, found: " + time, e);
    }
  }

  private void require(boolean rule, String text) {
    if (!rule) {
      throw new IllegalArgumentException("--since-report " + command.sinceReport + " " + text);
    }
  }

  /** What spark-submit was told of Hadoop, without an application. */
  private Configuration hadoop() {
    return ReportFile.isLocal(command.sinceReport)
        ? null
        : SparkHadoopUtil.get().newConfiguration(new SparkConf());
  }
}
