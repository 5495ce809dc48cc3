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
  private final ReportMatch match;

  LateDataPlanner(RunSettings settings, ReportStore reports) {
    this.settings = settings;
    this.match = new ReportMatch(settings);
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
    Optional<Base> newest = Optional.empty();
    for (int back = 1; back <= DAYS_BACK; back++) {
      LocalDate earlier = day.minusDays(back);
      if (before.contains(earlier)) {
        return LateDataSearch.none("");
      }
      Optional<JobReport> report = reports.find(earlier);
      if (report.isPresent() && report.get().whyNotDone(earlier).isEmpty()) {
        newest = Optional.of(new Base(earlier, report.get()));
        break;
      }
    }
    return newest.isPresent()
        ? search(newest.get(), night, day)
        : LateDataSearch.none(
            "late data is not searched: none of the "
                + DAYS_BACK
                + " days before has a report of success");
  }

  private LateDataSearch search(Base newest, SnapshotTimes night, LocalDate day)
      throws IOException {
    Optional<Instant> taken = newest.report().dataSnapshotTime();
    if (taken.isEmpty()) {
      return LateDataSearch.none(
          "late data is not searched: " + reports.location(newest.day()) + " has no snapshot time");
    }
    if (!taken.get().isBefore(night.data())) {
      // The run of that day has searched up to these or newer snapshots.
      return LateDataSearch.none("");
    }
    return since(newest, searched(newest, taken.get(), day), day);
  }

  /**
   * The last report up to whose snapshot late data have been searched. That is the newest one, or,
   * if its run has not searched and neither has another run of its snapshots, the last before it
   * whose run has searched; if none has, the oldest.
   */
  private Base searched(Base newest, Instant taken, LocalDate day) throws IOException {
    Base oldest = newest;
    Instant since = taken;
    for (LocalDate earlier = newest.day();
        !earlier.isBefore(day.minusDays(DAYS_BACK));
        earlier = earlier.minusDays(1)) {
      Optional<JobReport> report = reports.find(earlier);
      if (report.isEmpty() || report.get().whyNotDone(earlier).isPresent()) {
        continue;
      }
      Optional<Instant> time = report.get().dataSnapshotTime();
      if (time.isEmpty()) {
        continue;
      }
      if (time.get().isBefore(since)) {
        since = time.get();
        oldest = new Base(earlier, report.get());
      }
      if (!report.get().option("--changed-since").isEmpty()) {
        break;
      }
    }
    return oldest;
  }

  private LateDataSearch since(Base newest, Base base, LocalDate day) {
    LocalDate earlier = base.day();
    Optional<Instant> taken = base.report().dataSnapshotTime();
    boolean adjoins = earlier.equals(day.minusDays(1));
    Optional<OptionDifference> difference = match.difference(base.report());
    if (adjoins && difference.isEmpty()) {
      return new LateDataSearch(List.of("--since-report", reports.location(earlier)), taken, "");
    }
    String why =
        adjoins
            ? difference.map(OptionDifference::name).orElse("") + " differs from that day's"
            : newest.day().equals(earlier)
                ? "days in between have no report"
                : "runs in between have not searched";
    return new LateDataSearch(
        List.of("--changed-since", taken.orElseThrow().minus(MARGIN).toString()),
        taken,
        "late data is searched by the snapshot time of "
            + earlier
            + " only, bulk-loaded files are not searched: "
            + why);
  }

  /** A day with its report of success. */
  private record Base(LocalDate day, JobReport report) {}
}
