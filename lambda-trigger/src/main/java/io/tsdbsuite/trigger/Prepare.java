package io.tsdbsuite.trigger;

import io.tsdbsuite.trigger.config.PrepareSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.DoneDays;
import io.tsdbsuite.trigger.report.Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.IncompleteSnapshotException;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.start.ExecutionInput;
import io.tsdbsuite.trigger.step.Step;
import io.tsdbsuite.trigger.step.StepPlanner;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The beginning of each attempt of an execution: which days are to be run, and how. */
final class Prepare {
  private final PrepareSettings settings;
  private final SnapshotCheck check;
  private final Reports reports;
  private final StepPlanner planner;

  Prepare(PrepareSettings settings, ObjectStore store) {
    this.settings = settings;
    this.check = new SnapshotCheck(store, settings.backup());
    this.reports = new Reports(store, settings.backup().reportRoot());
    this.planner = new StepPlanner(settings.backup(), settings.job(), reports);
  }

  /**
   * The steps of the days that have no report of success by now, the oldest day first.
   *
   * @param metrics receives DaysToRun, DaysDone, DaysResumed, SnapshotsNotWhole
   * @throws SnapshotNotWhole when a snapshot is not whole (any more): ExportSnapshot removes one
   *     whose verification fails
   * @throws IllegalArgumentException when the input is of another root
   */
  List<Step> steps(ExecutionInput input, JsonLog log, Metrics metrics, Deadline deadline)
      throws IOException {
    if (!input.root().equals(settings.backup().root())) {
      throw new IllegalArgumentException(
          "the input's root must be ROOT " + settings.backup().root() + ", found: " + input.root());
    }
    WholeNight night;
    try {
      night = check.check(input.night(), deadline);
    } catch (IncompleteSnapshotException e) {
      metrics.count("SnapshotsNotWhole", 1);
      log.warn(e.getMessage());
      throw new SnapshotNotWhole(e);
    }
    DoneDays done = new DoneDays(reports, night);
    List<Step> steps = new ArrayList<>();
    for (LocalDate day : input.days()) {
      if (done.isDone(day, input.notBefore())) {
        metrics.count("DaysDone", 1);
        log.info("the day has a report of success", "day", day, "report", reports.place(day));
        continue;
      }
      Step step = planner.step(night, day);
      steps.add(step);
      metrics.count("DaysToRun", 1);
      metrics.count("DaysResumed", step.resumes() ? 1 : 0);
      log.info(
          step.resumes() ? "the day is resumed" : "the day is run whole",
          "day",
          day,
          "report",
          step.report(),
          "why",
          step.whole());
    }
    return List.copyOf(steps);
  }
}
