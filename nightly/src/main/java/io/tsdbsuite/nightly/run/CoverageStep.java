package io.tsdbsuite.nightly.run;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.CoverageSettings;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.process.ChildRun;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Adds to the coverage what runs to Kafka prove, when the TSDs have stored all of their rollups.
 * With HFiles {@code rollup-job load} does it.
 */
final class CoverageStep {
  private static final String COMMAND = "coverage";

  private final Context context;
  private final DueDays due;
  private final CoverageSettings settings;

  CoverageStep(Context context, DueDays due) {
    this.context = context;
    this.due = due;
    this.settings = context.config().coverage();
  }

  /**
   * Runs the command for the days of {@code verify.days} and of this run whose rollups it has not
   * found yet. Failures are in the results of the days.
   *
   * @param live HBase; empty if it was not asked
   */
  void run(Optional<LiveSnapshots> live) throws IOException {
    if (!isWanted(context.config(), live)) {
      return;
    }
    TreeSet<LocalDate> days = new TreeSet<>();
    for (int back = 0; back < context.config().verify().days(); back++) {
      LocalDate day = due.lastDay().minusDays(back);
      if (!day.isBefore(context.config().firstDay())) {
        days.add(day);
      }
    }
    for (DayResult told : context.result().days()) {
      if (told.isRolledUp()) {
        days.add(told.day());
      }
    }
    for (LocalDate day : days) {
      if (!context.result().day(day).isFailed() && isDue(day)) {
        run(day);
      }
    }
  }

  /** Whether the runs go to Kafka, and there is a coverage table. */
  static boolean isWanted(NightlyConfig config, Optional<LiveSnapshots> live) {
    CoverageSettings settings = config.coverage();
    return !config.writesHFiles()
        && !settings.isOff()
        && (!settings.table().isEmpty()
            || live.filter(hbase -> hbase.hasTable(CoverageRows.DEFAULT_TABLE)).isPresent());
  }

  /** Whether a day is rolled up, and its coverage was not decided since. */
  private boolean isDue(LocalDate day) throws IOException {
    Optional<JobReport> job = context.reports().find(day);
    if (job.isEmpty()
        || job.get().whyNotDone(day).isPresent()
        || job.get().text("/proof/readAsOf").isEmpty()) {
      return false;
    }
    Instant rolledUp = job.get().ended().orElse(Instant.MAX);
    return context
        .reports()
        .find(COMMAND, day)
        .filter(report -> report.text("/exitCode").equals("0"))
        .flatMap(JobReport::ended)
        .filter(ended -> !ended.isBefore(rolledUp))
        .isEmpty();
  }

  private void run(LocalDate day) {
    DayResult result = context.result().day(day);
    context.progress().accept(day + ": looking for its rollups in HBase");
    String location = context.reports().location(COMMAND, day);
    String step = COMMAND + "-" + day;
    try {
      ChildRun child =
          context
              .children()
              .run(
                  step,
                  context.commands().coverage(context.reports().location(day), settings, location));
      Optional<JobReport> report = context.reports().find(COMMAND, day);
      ExitCode code = ChildStatus.of(child, report);
      if (code != ExitCode.DONE) {
        throw ChildStatus.failure(
            "rollup-job coverage add", child, code, report, context.children().log(step));
      }
      context.written().add(location);
      String reason = report.map(found -> found.text("/coverage/reason")).orElse("");
      result.add(reason.isEmpty() ? "covered" : "not covered: " + reason);
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
  }
}
