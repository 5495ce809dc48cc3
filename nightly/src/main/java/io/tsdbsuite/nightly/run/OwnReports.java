package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import io.tsdbsuite.planner.run.OptionDifference;
import io.tsdbsuite.planner.run.ReportMatch;
import io.tsdbsuite.planner.run.RunSettings;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Optional;

/**
 * Reports that must be of runs with the present settings. A report of success with another data
 * table, other metrics, intervals or another target does not say that a day is done, and its
 * snapshot may be another cluster's.
 */
final class OwnReports implements ReportStore {
  private final ReportStore reports;
  private final ReportMatch match;

  OwnReports(RunSettings settings, ReportStore reports) {
    this.reports = reports;
    this.match = new ReportMatch(settings);
  }

  @Override
  public String location(LocalDate day) {
    return reports.location(day);
  }

  /**
   * The report of a day.
   *
   * @throws JobException usage, if it is a report of success of a run with other settings, or of a
   *     later version of the job: nothing says then whether the day is done
   */
  @Override
  public Optional<JobReport> find(LocalDate day) throws IOException {
    Optional<JobReport> report = reports.find(day);
    if (report.filter(JobReport::isNewer).isPresent()) {
      throw JobException.usage(
          ("%s is of a later rollup-job, its version is %s: take rollup-nightly of that"
                  + " release, or delete the report to roll up the day again")
              .formatted(reports.location(day), report.get().formatVersion()));
    }
    Optional<OptionDifference> difference =
        report.filter(found -> found.whyNotDone(day).isEmpty()).flatMap(match::difference);
    if (difference.isPresent()) {
      throw JobException.usage(
          ("%s must be of a run with this configuration, but %s differs: '%s' in the report, '%s'"
               + " in the configuration; set reports to another directory, or delete the report to"
               + " roll up the day again")
              .formatted(
                  reports.location(day),
                  difference.get().name(),
                  difference.get().reported(),
                  difference.get().present()));
    }
    return report;
  }
}
