package io.tsdbsuite.nightly.run;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.storage.HadoopDirectories;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.HFileRuns;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.CoverageRefresh;
import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.planner.run.RunPlanner;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rolls up a day, and loads its HFiles. */
final class DayRunner {
  private final Context context;
  private final Nights nights;
  private final RunPlanner planner;
  private final HFileRuns hfiles;

  DayRunner(Context context, Nights nights) {
    this.context = context;
    this.nights = nights;
    this.hfiles = new HFileRuns(new HadoopDirectories(context.hadoop()));
    this.planner =
        new RunPlanner(
            context.config().runs(),
            context.ownReports(),
            day -> !day.isBefore(context.config().firstDay()),
            CoverageRefresh.by(this::adds));
  }

  /** The planned run of a day. */
  PlannedRun plan(LocalDate day, NightSnapshots night) {
    try {
      // The reports say which earlier days have been run from these snapshots.
      return planner.plan(night.night(), night.times(), day, List.of());
    } catch (IOException e) {
      throw context.reports().failed(e);
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
    context
        .run(
            "rollup-job",
            "rollup-" + day,
            context.commands().rollup(run.arguments(), nights.live()),
            context.reports().location(day))
        .success(
            report ->
                report
                    .whyNotDone(day)
                    .or(
                        () ->
                            report.isOf(times.data(), times.uid())
                                ? Optional.empty()
                                : Optional.of("its report is of other snapshots")));
  }

  /** The reports of the commands that add a day's run to the coverage. */
  private List<JobReport> adds(LocalDate day) {
    return Stream.of("load", CoverageStep.COMMAND)
        .map(command -> context.reports().find(command, day))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> hfiles(LocalDate day) {
    if (!context.config().writesHFiles()) {
      return Optional.empty();
    }
    try {
      Optional<JobReport> report = context.reports().find(day);
      return report.isPresent() && report.get().whyNotDone(day).isEmpty()
          ? hfiles.waiting(report.get(), context.reports().find("load", day))
          : Optional.empty();
    } catch (HFileRuns.GoneException e) {
      throw JobException.badInput(e.getMessage() + "; roll up the day again with --day", e);
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
      EndedCommand load =
          context.run(
              "rollup-job load",
              "load-" + day,
              context.commands().load(directory.get(), location),
              location);
      JobReport report =
          load.success(unused -> hfiles(day).map(left -> left + " is not marked as loaded"));
      result.add("HFiles loaded");
      if (CoverageStep.isLoadedOnly(report)) {
        result.notCovered(report.text("/coverage/reason"));
      }
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    }
  }
}
