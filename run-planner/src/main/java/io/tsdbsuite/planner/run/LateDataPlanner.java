package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Plans a day's search for late data: rows of earlier days that changed since the snapshot of the
 * last completed day. Every change lies between the snapshots of two runs, so one of them finds it.
 */
final class LateDataPlanner {
  /** Number of earlier days in which a run searches the last report of success. */
  private static final int DAYS_BACK = 31;

  /** Allowed clock difference between HBase's servers; the job's own default. */
  static final Duration MARGIN = Duration.ofMinutes(5);

  private final RunSettings settings;
  private final ReportStore reports;
  private final ReportedOptions options;

  LateDataPlanner(RunSettings settings, ReportStore reports) {
    this.settings = settings;
    this.options = new ReportedOptions(settings.options());
    this.reports = reports;
  }

  /**
   * Plans the search of a day's run.
   *
   * @param before earlier days that run before it from the same snapshots; the first of them
   *     searches for all
   * @throws IOException when the reports cannot be read
   */
  LateDataSearch search(SnapshotTimes night, LocalDate day, List<LocalDate> before)
      throws IOException {
    if (!settings.lateData()) {
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
      JobReport report, SnapshotTimes night, LocalDate earlier, boolean adjoins) {
    Optional<Instant> taken = report.dataSnapshotTime();
    if (taken.isEmpty()) {
      return LateDataSearch.none(
          "late data is not searched: " + reports.location(earlier) + " has no snapshot time");
    }
    if (!taken.get().isBefore(night.data())) {
      // The run of that day has searched up to these or newer snapshots.
      return LateDataSearch.none("");
    }
    String differs = difference(report);
    if (adjoins && differs.isEmpty()) {
      return new LateDataSearch(List.of("--since-report", reports.location(earlier)), taken, "");
    }
    return new LateDataSearch(
        List.of("--changed-since", taken.get().minus(MARGIN).toString()),
        taken,
        "late data is searched by the snapshot time of "
            + earlier
            + " only, bulk-loaded files are not searched: "
            + (adjoins ? differs + " differs from that day's" : "days in between have no report"));
  }

  /** The option for which the job would reject the report; empty if it would accept it. */
  private String difference(JobReport report) {
    if (!report.text("/input/dataTable").equals(settings.dataTable())) {
      return "the data table";
    }
    for (String name : ReportedOptions.OF_SEARCH) {
      if (!options.isSame(report, name)) {
        return name;
      }
    }
    String topic = settings.kafka().map(KafkaTarget::topic).orElse("");
    return topic.equals(report.option("--topic")) ? "" : "--topic";
  }
}
