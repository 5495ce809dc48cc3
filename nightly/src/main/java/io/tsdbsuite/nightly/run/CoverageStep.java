package io.tsdbsuite.nightly.run;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.config.NightlyConfig.CoverageSettings;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.report.JobReport;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adds to the coverage what runs to Kafka prove, when the TSDs have stored all of their rollups.
 * With HFiles {@code rollup-job load} does it; if it could not, later nights try.
 */
final class CoverageStep {
  static final String COMMAND = "coverage";

  private final Context context;
  private final DueDays due;
  private final CoverageSettings settings;

  CoverageStep(Context context, DueDays due) {
    this.context = context;
    this.due = due;
    this.settings = context.config().coverage();
  }

  /**
   * Looks again for the rollups of the days of {@code verify.days} that earlier runs have not
   * found, or could not add, before this run rolls up days: a day is waited for once, in the run
   * that has rolled it up. Failures are in the results of the days.
   *
   * @param live HBase; empty if it was not asked
   * @param given days that this run rolls up again
   */
  void lookAgain(Optional<LiveSnapshots> live, List<LocalDate> given) {
    List<LocalDate> days = new ArrayList<>();
    for (int back = context.config().verify().days() - 1; back >= 0; back--) {
      LocalDate day = due.lastDay().minusDays(back);
      if (!day.isBefore(context.config().firstDay()) && !given.contains(day)) {
        days.add(day);
      }
    }
    try {
      if (hasTable(context.config(), live)) {
        look(days, true);
      }
    } catch (JobException e) {
      // The days can be rolled up nevertheless.
      context.result().fail(e);
    }
  }

  /** Looks for the rollups of the days of this run, if they go to Kafka. */
  void run(Optional<LiveSnapshots> live) {
    if (isWanted(context.config(), live)) {
      look(
          context.result().days().stream()
              .filter(DayResult::isRolledUp)
              .map(DayResult::day)
              .toList(),
          false);
    }
  }

  private void look(List<LocalDate> days, boolean again) {
    for (LocalDate day : days) {
      DayResult result = context.result().day(day);
      Optional<JobReport> job = context.reports().find(day).filter(run -> run.provesRollups(day));
      // A load of this run has just tried it.
      if (result.isFailed() || !result.notCovered().isEmpty() || job.isEmpty()) {
        continue;
      }
      Optional<JobReport> last = since(COMMAND, day, job.get());
      if (isOpen(day, job.get(), last)) {
        run(day, again || last.filter(CoverageStep::isIncomplete).isPresent());
        // Anything else would fail the next day too.
        if (result.isFailed() && result.notCovered().isEmpty()) {
          return;
        }
      }
    }
  }

  /** Whether the runs go to Kafka, and there is a coverage table. */
  static boolean isWanted(NightlyConfig config, Optional<LiveSnapshots> live) {
    return !config.writesHFiles() && hasTable(config, live);
  }

  /** Whether a coverage table is named, or there is the default one. */
  static boolean hasTable(NightlyConfig config, Optional<LiveSnapshots> live) {
    CoverageSettings settings = config.coverage();
    return !settings.isOff()
        && (!settings.table().isEmpty()
            || live.filter(hbase -> hbase.hasTable(CoverageRows.DEFAULT_TABLE)).isPresent());
  }

  /** Whether a day is not in the coverage, and may come into it. */
  private boolean isOpen(LocalDate day, JobReport job, Optional<JobReport> last) {
    Optional<JobReport> done = last.filter(found -> found.decidesCoverageOf(job));
    if (!context.config().writesHFiles()) {
      return done.isEmpty();
    }
    // A run with gaps never proves anything.
    return job.root().at("/proof/gaps").isEmpty()
        && since("load", day, job).filter(CoverageStep::isLoadedOnly).isPresent()
        && done.filter(found -> found.text("/coverage/reason").isEmpty()).isEmpty();
  }

  /** Whether a load has loaded all files, and could not write the coverage. */
  static boolean isLoadedOnly(JobReport load) {
    return load.text("/exitCode").equals("0") && !load.text("/message").isEmpty();
  }

  /** The report of the last run of a command since a day was rolled up. */
  private Optional<JobReport> since(String command, LocalDate day, JobReport job) {
    Instant rolledUp = job.ended().orElse(Instant.MAX);
    return context
        .reports()
        .find(command, day)
        .filter(report -> report.ended().filter(end -> !end.isBefore(rolledUp)).isPresent());
  }

  /** Whether rollups of the day were missing when the patience was over. */
  private static boolean isIncomplete(JobReport look) {
    return look.root().at("/coverage/incomplete").asBoolean();
  }

  private void run(LocalDate day, boolean waited) {
    DayResult result = context.result().day(day);
    context.progress().accept(day + ": looking for its rollups in HBase");
    String location = context.reports().location(COMMAND, day);
    List<String> command =
        context
            .commands()
            .coverage(
                context.reports().location(day),
                waited ? Duration.ZERO : settings.patience(),
                location);
    try {
      EndedCommand look =
          context.run("rollup-job coverage add", COMMAND + "-" + day, command, location);
      boolean incomplete =
          look.code() == ExitCode.OUTSIDE
              && look.report().filter(CoverageStep::isIncomplete).isPresent();
      JobReport report = incomplete ? look.report().orElseThrow() : look.success();
      String reason = report.text("/coverage/reason");
      if (reason.isEmpty()) {
        result.add("covered");
        return;
      }
      result.notCovered(reason);
      if (incomplete && !waited) {
        // Bad input is a matter of this day. Later runs tell it, and do not fail again.
        result.fail(ExitCode.BAD_INPUT);
      }
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    }
  }
}
