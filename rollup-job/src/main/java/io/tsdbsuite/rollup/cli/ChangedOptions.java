package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.resume.SinceReport;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for changed rows. */
final class ChangedOptions {
  @Option(
      names = "--changed-since",
      paramLabel = "TIME",
      description =
          "Also roll up again every hour before the window (with an interval above 1h, every"
              + " day) of each series that got or lost a cell at TIME or later, by HBase's"
              + " timestamps. With --to alone, only these. ISO-8601 or seconds since the epoch.")
  @Nullable String changedSince;

  @Option(
      names = "--since-report",
      paramLabel = "REPORT",
      description =
          "As --changed-since, with the snapshot time of an earlier run, read from that"
              + " run's report, less --changed-margin; also every row in HFiles added since by"
              + " bulk load or flush. That run must have the same intervals, metrics and sink,"
              + " and its window must end at this window's start or later.")
  @Nullable String sinceReport;

  @Option(
      names = "--refresh-report",
      paramLabel = "REPORT",
      description =
          "With --since-report: also every row before the end of an earlier run's window that"
              + " has changed since that run's snapshot, so that the coverage as of that run is"
              + " refreshed, when the runs since have not done it. If they cannot all be found,"
              + " a warning.")
  @Nullable String refreshReport;

  @Option(
      names = "--changed-margin",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "Maximum clock difference of HBase's servers, for --since-report and --refresh-report:"
              + " 90s, 5m."
              + RollupCommand.DEFAULT)
  String changedMargin = "5m";

  @Option(
      names = "--max-changed-rows",
      paramLabel = "N",
      defaultValue = "2000000",
      description =
          "Limit of changed rows (with an interval above 1h, of changed days of series); more"
              + " end the run before anything is emitted. The driver needs about 300 bytes for"
              + " each."
              + RollupCommand.DEFAULT)
  int maxChangedRows = 2_000_000;

  @Option(
      names = "--allow-lost",
      description =
          "Continue with a warning if rows have lost their last point and this run"
              + " cannot take back their stored rollups (with --format aggregate, or if the"
              + " series has no name any more; default: exit code 1), or if bulk-loaded rows"
              + " cannot be identified (default: exit code 2).")
  boolean allowLost;

  /** Whether changed rows are requested. */
  boolean isGiven() {
    return changedSince != null || sinceReport != null;
  }

  /**
   * Reads the options.
   *
   * @param common of this run
   * @param same options that earlier runs must have had too, with their values
   * @param problems receives the problems found
   * @return null if changed rows are not requested or there are problems
   */
  @Nullable ChangedSince read(
      CommonInput common, Map<String, String> same, boolean dryRun, Problems problems) {
    problems.atLeast("--max-changed-rows", maxChangedRows, 1);
    if (refreshReport != null && sinceReport == null) {
      problems.add("--refresh-report goes with --since-report only");
      return null;
    }
    if (!isGiven()) {
      if (allowLost) {
        problems.add("--allow-lost goes with --changed-since or --since-report only");
      }
      return null;
    }
    if (changedSince != null && sinceReport != null) {
      problems.add("one of --changed-since and --since-report is enough, found: both");
      return null;
    }
    if (dryRun) {
      problems.add(
          "--changed-since and --since-report do not go with --dry-run: a plan reads no data");
    }
    StorageSchema schema = common.files().schema();
    if (schema != null && schema.useOtsdbTimestamp()) {
      problems.add(
          "--changed-since and --since-report do not go with tsd.storage.use_otsdb_timestamp ="
              + " true: cells then have the times of their points, and nothing in HBase says when"
              + " they were written");
    }
    // rollup-nightly and the pipeline on AWS subtract it from --changed-since themselves.
    long margin =
        Objects.requireNonNullElse(
            problems.tried(() -> HoldBack.parse("--changed-margin", "5m", changedMargin)), 0L);
    try {
      return changedSince != null
          ? new ChangedSince(
              HourParser.time("--changed-since", changedSince),
              null,
              null,
              maxChangedRows,
              allowLost,
              null,
              null)
          : sinceReport(Objects.requireNonNull(sinceReport), common, same, margin, problems);
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
    } catch (JobException e) {
      problems.add(e.getMessage());
    }
    return null;
  }

  private @Nullable ChangedSince sinceReport(
      String name, CommonInput common, Map<String, String> same, long margin, Problems problems) {
    int before = problems.all().size();
    SinceReport report = SinceReport.read("--since-report", name, problems);
    if (report.check(same) && common.window() != null) {
      report.requireNoGap(Instant.ofEpochSecond(common.window().from()));
    }
    Instant taken = problems.all().size() > before ? null : report.snapshotTime();
    ChangedSince.Earlier earlier =
        refreshReport == null
            ? null
            : earlier(refreshReport, margin, report.table(), same, problems);
    return taken == null
        ? null
        : new ChangedSince(
            taken.minusSeconds(margin),
            taken,
            report.table(),
            maxChangedRows,
            allowLost,
            report.dataFiles(),
            earlier);
  }

  /**
   * The rows of {@code --refresh-report}; null if there are problems.
   *
   * @param table of the run of {@code --since-report}
   */
  private static ChangedSince.@Nullable Earlier earlier(
      String name, long margin, String table, Map<String, String> same, Problems problems) {
    int before = problems.all().size();
    SinceReport report = SinceReport.read("--refresh-report", name, problems);
    boolean done = report.check(same);
    if (!done || problems.all().size() > before) {
      return null;
    }
    Instant until = report.windowEnd();
    Instant taken = report.snapshotTime();
    Set<String> files = report.dataFiles();
    if (files == null || !report.table().equals(table)) {
      problems.add(
          "--refresh-report %s must have dataFiles, and be of table %s, found %s"
              .formatted(name, table, files == null ? "none" : report.table()));
    }
    return until == null || taken == null || files == null
        ? null
        : new ChangedSince.Earlier(
            until.getEpochSecond(), taken.minusSeconds(margin), taken, files);
  }
}
