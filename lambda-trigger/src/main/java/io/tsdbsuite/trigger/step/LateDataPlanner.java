package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import io.tsdbsuite.trigger.report.JobReport;
import io.tsdbsuite.trigger.report.Reports;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the search for late data of a day's run: it covers what changed in all days before it
 * since the snapshot of the last day that is done. So every change is between the snapshots of two
 * runs, and one of them finds it.
 */
final class LateDataPlanner {
  /** How many days before its own one a run looks for the last report of success. */
  private static final int DAYS_BACK = 31;

  /** How far clocks of HBase's servers may differ; the job's own default. */
  static final Duration MARGIN = Duration.ofMinutes(5);

  private final JobSettings job;
  private final Reports reports;
  private final String dataTable;
  private final ReportedOptions options;

  LateDataPlanner(BackupSettings backup, JobSettings job, Reports reports) {
    this.dataTable = backup.dataTable();
    this.job = job;
    this.options = new ReportedOptions(job);
    this.reports = reports;
  }

  /**
   * The search of a day's run.
   *
   * @param before days of the same execution that are run before it, from the same snapshots: the
   *     first of them searches for all
   * @throws IOException when S3's answer breaks off
   */
  LateDataSearch search(WholeNight night, LocalDate day, List<LocalDate> before)
      throws IOException {
    if (!job.lateData()) {
      return LateDataSearch.none("");
    }
    for (int back = 1; back <= DAYS_BACK; back++) {
      LocalDate earlier = day.minusDays(back);
      if (before.contains(earlier)) {
        return LateDataSearch.none("");
      }
      Optional<JobReport> report = reports.find(earlier);
      if (report.isPresent() && report.get().whyNotDone(earlier).isEmpty()) {
        return since(report.get(), night, earlier, back == 1);
      }
    }
    return LateDataSearch.none(
        "late data is not searched: none of the "
            + DAYS_BACK
            + " days before has a report of success");
  }

  private LateDataSearch since(
      JobReport report, WholeNight night, LocalDate earlier, boolean adjoins) {
    Optional<Instant> taken = report.dataSnapshotTime();
    if (taken.isEmpty()) {
      return LateDataSearch.none(
          "late data is not searched: " + reports.place(earlier) + " tells no snapshot's time");
    }
    if (!taken.get().isBefore(night.data().created())) {
      // The run of that day has searched up to these snapshots, or newer ones.
      return LateDataSearch.none("");
    }
    String differs = difference(report);
    if (adjoins && differs.isEmpty()) {
      return new LateDataSearch(
          List.of("--since-report", reports.place(earlier).hadoopUri()), taken.get(), "");
    }
    return new LateDataSearch(
        List.of("--changed-since", taken.get().minus(MARGIN).toString()),
        taken.get(),
        "late data is searched by the time of the snapshot of "
            + earlier
            + " only, bulk loaded files are not: "
            + (adjoins ? differs + " differs from that day's" : "days between have no report"));
  }

  /** What the job would refuse the report for; empty when it would not. */
  private String difference(JobReport report) {
    if (!report.text("/input/dataTable").equals(dataTable)) {
      return "the data table";
    }
    for (String name : ReportedOptions.OF_SEARCH) {
      if (!options.isSame(report, name)) {
        return name;
      }
    }
    return job.topic().equals(report.option("--topic")) ? "" : "--topic";
  }
}
