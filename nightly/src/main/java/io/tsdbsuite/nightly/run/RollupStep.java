package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.planner.due.DueDay;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Rolls up the planned days, and reports why a day waits. */
final class RollupStep {
  /** A day that has waited this long for a snapshot is reported as a failure. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  private final Context context;
  private final Nights nights;
  private final DuePlanner planner;
  private final DayRunner runner;

  RollupStep(Context context, Nights nights, DuePlanner planner) {
    this.context = context;
    this.nights = nights;
    this.planner = planner;
    this.runner = new DayRunner(context, nights);
  }

  /** Loads HFiles of days whose job has ended, and whose load has not. */
  void loadWaiting() throws IOException {
    if (!context.config().writesHFiles()) {
      return;
    }
    DueDays due = planner.due();
    for (LocalDate day = context.config().firstDay();
        !day.isAfter(due.lastDay());
        day = day.plusDays(1)) {
      if (due.isDone(day)) {
        runner.load(day);
      }
    }
  }

  /**
   * Rolls up the days that have a night. Failures are in the results of the days.
   *
   * @param given whether the days were asked for, so that one that waits is a failure
   */
  void run(List<DueDay> planned, boolean given) {
    run(planned, given, runner::run);
  }

  /**
   * The same with another way to run a day.
   *
   * @param day takes a day and the night from which it is rolled up
   */
  void run(List<DueDay> planned, boolean given, BiConsumer<LocalDate, NightSnapshots> day) {
    int runs = 0;
    Optional<LocalDate> stopped = Optional.empty();
    for (DueDay due : planned) {
      DayResult result = context.result().day(due.day());
      switch (due.state()) {
        case EXPIRED ->
            result.fail(
                ExitCode.BAD_INPUT, due.why() + "; to give it up, set first-day to a later day");
        case WAITS -> {
          waits(due, result);
          if (given && !result.isFailed()) {
            result.fail(ExitCode.OUTSIDE, "run again with --day then");
          }
        }
        case RUN -> {
          if (stopped.isPresent()) {
            result.waits("not rolled up, because of " + stopped.get());
          } else if (runs == context.config().maxDays()) {
            result.waits("not rolled up, because of max-days");
            result.fail(ExitCode.OUTSIDE, "run again for the rest");
          } else {
            runs++;
            day.accept(due.day(), due.night().orElseThrow());
            // Bad input is a matter of this day. Anything else would fail the next day too.
            if (result.isFailed() && result.exitCode() != ExitCode.BAD_INPUT) {
              stopped = Optional.of(due.day());
            }
          }
        }
      }
    }
  }

  private void waits(DueDay due, DayResult result) {
    Instant now = context.clock().instant();
    result.waits(due.why());
    if (readable(due.day()).isAfter(now)) {
      return;
    }
    Optional<String> why = missing(due);
    if (why.isPresent()) {
      result.fail(ExitCode.OUTSIDE, why.get());
    }
    if (readable(due.day()).plus(PATIENCE).isBefore(now)) {
      result.fail(ExitCode.OUTSIDE, "it has waited for more than a day");
    }
  }

  /** The time from which on a snapshot holds a day. */
  private Instant readable(LocalDate day) {
    return day.plusDays(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .plus(context.config().holdBack());
  }

  /** Why no snapshot holds a day that is due, if the next one may be a day away. */
  private Optional<String> missing(DueDay due) {
    return nights
        .takenLater()
        .map(from -> "run again from " + from + " on")
        .or(
            () ->
                MissingSnapshot.why(
                    readable(due.day()),
                    nights.today(),
                    planner.readable(),
                    context.clock().instant()));
  }
}
