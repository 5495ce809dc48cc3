package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig.VerifySettings;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.verify.VerifyDays;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Verifies a sample of each day that has no verification of success since it was rolled up. While
 * TSDs still store rollups, differences are expected: the verification is repeated until there are
 * none, or the patience is over.
 */
final class Verification {
  private static final String COMMAND = "verify";
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final Context context;
  private final VerifySettings settings;
  private final RollupSnapshots rollups;

  Verification(Context context) {
    this.context = context;
    this.settings = context.config().verify();
    this.rollups = RollupSnapshots.ofRuns(context);
  }

  /**
   * Verifies the days that need it, and adds to the result the days that no later run verifies.
   * Failures are in the results of the days.
   *
   * @param days the given days of the run; empty for those that are due
   */
  void run(DueDays due, Nights nights, List<LocalDate> days) throws IOException {
    Optional<NightSnapshots> newest = due.newest();
    boolean needsHBase = settings.against() == VerifySettings.Against.SNAPSHOT;
    if (settings.against() == VerifySettings.Against.NONE
        || newest.isEmpty()
        || (needsHBase && nights.live().isEmpty())) {
      return;
    }
    VerifyDays.Window window =
        new VerifyDays.Window(context.config().firstDay(), due.lastDay(), settings.days());
    SortedSet<LocalDate> all = new TreeSet<>(days);
    all.addAll(window.days());
    context.result().days().stream()
        .filter(DayResult::isRolledUp)
        .forEach(result -> all.add(result.day()));
    VerifyDays verified =
        new VerifyDays(context.reports(), due::isDone, day -> context.reports().find(COMMAND, day));
    List<LocalDate> left = verified.left(window, all);
    if (!left.isEmpty()) {
      context
          .result()
          .add(
              "not verified within verify.days, and not any more: "
                  + left.stream().map(LocalDate::toString).collect(Collectors.joining(", ")));
    }
    for (LocalDate day : all) {
      if (!context.result().day(day).isFailed() && verified.isDue(day)) {
        verify(day, newest.get(), nights.live());
      }
    }
  }

  /**
   * Verifies a day. A failure is in the day's result.
   *
   * @param live HBase; empty if it was not asked
   */
  private void verify(LocalDate day, NightSnapshots night, Optional<LiveSnapshots> live) {
    DayResult result = context.result().day(day);
    context.progress().accept(day + ": verifying " + settings.sample());
    long end = System.nanoTime() + settings.patience().toNanos();
    try {
      Optional<JobException> failure = once(day, night, live);
      while (failure.isPresent() && System.nanoTime() < end) {
        Thread.sleep(PAUSE.toMillis());
        failure = once(day, night, live);
      }
      if (failure.isPresent()) {
        throw failure.get();
      }
      result.add("verified");
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("the verification was interrupted", e);
    }
  }

  /**
   * Verifies once.
   *
   * @return empty if all rollups are equal; a failure if there are differences, which may vanish
   * @throws JobException for each other failure
   */
  private Optional<JobException> once(
      LocalDate day, NightSnapshots night, Optional<LiveSnapshots> live) {
    EndedCommand ended =
        settings.against() == VerifySettings.Against.SNAPSHOT
            ? rollups.with(live.orElseThrow(), taken -> run(day, night, taken), any -> List.of())
            : run(day, night, List.of());
    if (ended.code() == ExitCode.BAD_INPUT
        && ended.report().filter(Verification::differs).isPresent()) {
      return Optional.of(ended.failure());
    }
    ended.success();
    return Optional.empty();
  }

  private EndedCommand run(LocalDate day, NightSnapshots night, List<String> snapshots) {
    String location = context.reports().location(COMMAND, day);
    return context.run(
        "rollup-job verify",
        COMMAND + "-" + day,
        context.commands().verify(night.night(), day, against(snapshots), location),
        location);
  }

  private static boolean differs(JobReport report) {
    return Stream.of("missing", "extra", "different")
        .anyMatch(verdict -> report.number("/compared/" + verdict) > 0);
  }

  private List<String> against(List<String> snapshots) {
    return settings.against() == VerifySettings.Against.TSD
        ? List.of("--against-tsd", settings.tsd())
        : List.of(
            "--against-snapshot",
            String.join(",", snapshots),
            "--rollup-root",
            context.config().place().hbaseRoot());
  }

  /** The options of what the raw data are compared with, for people: without the owner's number. */
  List<String> shownAgainst() {
    return against(
        settings.against() == VerifySettings.Against.SNAPSHOT ? rollups.shown() : List.of());
  }
}
