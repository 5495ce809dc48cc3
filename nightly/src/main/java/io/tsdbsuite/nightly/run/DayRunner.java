package io.tsdbsuite.nightly.run;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.process.ChildRun;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.report.HFileRuns;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.planner.run.RunPlanner;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Rolls up a day, and loads its HFiles. */
final class DayRunner {
  private final Context context;
  private final RunPlanner planner;
  private final HFileRuns hfiles;

  DayRunner(Context context) {
    this.context = context;
    this.planner =
        new RunPlanner(
            context.config().runs(),
            context.ownReports(),
            day -> !day.isBefore(context.config().firstDay()),
            new WrittenRefreshes(context));
    this.hfiles = new HFileRuns(context.hadoop());
  }

  /** The planned run of a day. */
  PlannedRun plan(LocalDate day, NightSnapshots night) {
    try {
      // The reports say which earlier days have been run from these snapshots.
      return planner.plan(night.night(), night.times(), day, List.of());
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
  }

  /** Runs the job for a day. A failure is in the day's result. */
  void run(LocalDate day, NightSnapshots night) {
    DayResult result = context.result().day(day);
    try {
      PlannedRun run = plan(day, night);
      context
          .progress()
          .accept(
              day
                  + (run.resumes() ? ": resuming the run" : ": rolling up")
                  + " from "
                  + night.night().dataSnapshot());
      if (!run.lateData().note().isEmpty()) {
        context.progress().accept(day + ": " + run.lateData().note());
      }
      submit(day, run, night.times());
      result.rolledUp(
          (run.resumes() ? "resumed" : "rolled up")
              + " from "
              + night.night().dataSnapshot()
              + (run.lateData().searches() ? " with late data" : ""));
      String gap = run.lateData().note();
      // Before the first day there is nothing whose late data could be missed.
      if (!gap.isEmpty() && !day.equals(context.config().firstDay())) {
        result.add(gap);
      }
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    }
    if (!result.isFailed()) {
      load(day);
    }
  }

  private void submit(LocalDate day, PlannedRun run, SnapshotTimes times) {
    String step = "rollup-" + day;
    ChildRun child = context.children().run(step, context.commands().job(run.arguments()));
    Optional<JobReport> report = report(day);
    if (report.isPresent()) {
      context.written().add(context.reports().location(day));
    }
    ExitCode code = ChildStatus.of(child, report);
    Optional<String> whyNot =
        ChildStatus.whyNotOf(child, report)
            .or(() -> report.flatMap(found -> found.whyNotDone(day)))
            .or(
                () ->
                    report.filter(found -> !found.isOf(times.data(), times.uid())).isPresent()
                        ? Optional.of("its report is of other snapshots")
                        : Optional.empty());
    if (code == ExitCode.DONE && whyNot.isPresent()) {
      throw JobException.defect(
          "rollup-job ended with status 0, but %s, see %s"
              .formatted(whyNot.get(), context.children().log(step)),
          null);
    }
    if (code != ExitCode.DONE) {
      throw ChildStatus.failure("rollup-job", child, code, report, context.children().log(step));
    }
  }

  private Optional<JobReport> report(LocalDate day) {
    try {
      return context.reports().find(day);
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
  }

  private Optional<JobReport> loadReport(LocalDate day) {
    try {
      return context.reports().find("load", day);
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
  }

  private Optional<String> hfiles(LocalDate day) {
    if (!context.config().writesHFiles()) {
      return Optional.empty();
    }
    try {
      Optional<JobReport> report = report(day);
      return report.isPresent() && report.get().whyNotDone(day).isEmpty()
          ? hfiles.waiting(report.get(), loadReport(day))
          : Optional.empty();
    } catch (IOException e) {
      throw JobException.outside(
          "the HFiles of " + day + " cannot be found: " + StorageFailures.reason(e), e);
    }
  }

  /** Loads the HFiles of a day, if there are any. A failure is in the day's result. */
  void load(LocalDate day) {
    DayResult result = context.result().day(day);
    try {
      Optional<String> directory = hfiles(day);
      if (directory.isEmpty()) {
        return;
      }
      context.progress().accept(day + ": loading " + directory.get());
      String location = context.reports().location("load", day);
      String step = "load-" + day;
      ChildRun child =
          context.children().run(step, context.commands().load(directory.get(), location));
      Optional<JobReport> report = loadReport(day);
      ExitCode code = ChildStatus.of(child, report);
      if (code != ExitCode.DONE) {
        throw ChildStatus.failure(
            "rollup-job load", child, code, report, context.children().log(step));
      }
      context.written().add(location);
      Optional<String> left = hfiles(day);
      if (left.isPresent()) {
        throw JobException.defect(
            "rollup-job load ended with status 0, but %s is not marked as loaded, see %s"
                .formatted(left.get(), context.children().log(step)),
            null);
      }
      result.add("HFiles loaded");
      report
          .filter(CoverageStep::isLoadedOnly)
          .ifPresent(found -> result.notCovered(found.text("/coverage/reason")));
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    }
  }
}
