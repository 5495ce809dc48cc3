package io.tsdbsuite.trigger;

import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.CompletedDays;
import io.tsdbsuite.trigger.config.PrepareSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.IncompleteSnapshotException;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.start.ExecutionInput;
import io.tsdbsuite.trigger.start.PrepareInput;
import io.tsdbsuite.trigger.start.RunningExecutions;
import io.tsdbsuite.trigger.step.DayRun;
import io.tsdbsuite.trigger.step.StepPlanner;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The first task of each attempt of an execution: plans the runs of the days to do. */
final class PrepareTask {
  private final PrepareSettings settings;
  private final SnapshotCheck check;
  private final S3Reports reports;
  private final StepPlanner planner;
  private final RunningExecutions running;

  /**
   * @param backup reads the backup's bucket
   * @param store reads TSD_CONFIG
   */
  PrepareTask(
      PrepareSettings settings,
      ObjectStore backup,
      ObjectStore store,
      S3Reports reports,
      RunningExecutions running) {
    this.settings = settings;
    this.check = new SnapshotCheck(backup, settings.backup());
    this.reports = reports;
    this.planner = new StepPlanner(settings.backup(), settings.job(), store, reports);
    this.running = running;
  }

  /**
   * Plans the runs of the days without a report of success, the oldest day first.
   *
   * @param metrics receives DaysToRun, DaysDone, DaysResumed, LateDataLimited, SnapshotsNotWhole
   * @throws SnapshotNotWhole when a snapshot is incomplete, or no longer complete: ExportSnapshot
   *     removes a snapshot whose verification fails
   * @throws DayIsRunning when an older execution runs one of these days
   * @throws IllegalArgumentException when the input names another root
   */
  List<DayRun> runs(PrepareInput prepare, JsonLog log, Metrics metrics, Deadline deadline)
      throws IOException {
    ExecutionInput input = prepare.input();
    if (!input.root().equals(settings.backup().root())) {
      throw new IllegalArgumentException(
          "the input's root must be ROOT " + settings.backup().root() + ", found: " + input.root());
    }
    WholeNight night;
    try {
      // Before the check of the HFiles, which takes minutes: this is asked every five minutes while
      // the older execution runs.
      requireNotRunning(notDone(input, check.times(input.night())), prepare.execution());
      night = check.check(input.night(), deadline);
    } catch (IncompleteSnapshotException e) {
      metrics.count("SnapshotsNotWhole", 1);
      log.warn(e.getMessage());
      throw new SnapshotNotWhole(e);
    }
    List<LocalDate> days = notDone(input, night.times());
    for (LocalDate day : input.days()) {
      if (!days.contains(day)) {
        metrics.count("DaysDone", 1);
        log.info("the day has a report of success", "day", day, "report", reports.place(day));
      }
    }
    requireNotRunning(days, prepare.execution());
    List<DayRun> runs = new ArrayList<>();
    for (LocalDate day : days) {
      DayRun run = planner.run(night, day, days.subList(0, runs.size()));
      runs.add(run);
      metrics.count("DaysToRun", 1);
      metrics.count("DaysResumed", run.resumes() ? 1 : 0);
      log.info(
          run.resumes() ? "the day is resumed" : "the day is run from its beginning",
          "day",
          day,
          "report",
          run.report(),
          "why",
          run.whole(),
          "lateData",
          String.join(" ", run.lateData().args()));
      if (!run.lateData().note().isEmpty()) {
        metrics.count("LateDataLimited", 1);
        log.warn(run.lateData().note(), "day", day);
      }
    }
    return List.copyOf(runs);
  }

  private List<LocalDate> notDone(ExecutionInput input, SnapshotTimes night) throws IOException {
    CompletedDays done = new CompletedDays(reports, night);
    List<LocalDate> days = new ArrayList<>();
    for (LocalDate day : input.days()) {
      if (!done.isDone(day, input.notBefore())) {
        days.add(day);
      }
    }
    return days;
  }

  private void requireNotRunning(List<LocalDate> days, String execution) {
    if (days.isEmpty()) {
      return;
    }
    Map<LocalDate, String> older = running.startedBefore(execution);
    for (LocalDate day : days) {
      if (older.containsKey(day)) {
        throw new DayIsRunning(day, older.get(day));
      }
    }
  }
}
