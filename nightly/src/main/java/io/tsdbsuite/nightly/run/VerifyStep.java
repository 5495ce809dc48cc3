package io.tsdbsuite.nightly.run;

import io.tsdbsuite.nightly.config.NightlyConfig.VerifySettings;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chooses the days that a run verifies, and tells those that no run verifies any more. */
final class VerifyStep {
  private final Context context;
  private final DueDays due;
  private final Verification verification;

  VerifyStep(Context context, DueDays due) {
    this.context = context;
    this.due = due;
    this.verification = new Verification(context);
  }

  /**
   * Verifies. Failures are in the results of the days.
   *
   * @param days the given days of the run; empty for those that are due
   */
  void run(Nights nights, List<LocalDate> days) throws IOException {
    VerifySettings settings = context.config().verify();
    Optional<NightSnapshots> newest = due.newest();
    boolean needsHBase = settings.against() == VerifySettings.Against.SNAPSHOT;
    if (settings.against() == VerifySettings.Against.NONE
        || newest.isEmpty()
        || (needsHBase && nights.live().isEmpty())) {
      return;
    }
    LocalDate first = due.lastDay().minusDays(settings.days() - 1L);
    Set<LocalDate> all = new HashSet<>(days);
    for (LocalDate day = first; !day.isAfter(due.lastDay()); day = day.plusDays(1)) {
      if (!day.isBefore(context.config().firstDay())) {
        all.add(day);
      }
    }
    for (DayResult told : context.result().days()) {
      if (told.isRolledUp()) {
        all.add(told.day());
      }
    }
    tellUnverified(first, all);
    for (LocalDate day : all.stream().sorted().toList()) {
      boolean failed = context.result().day(day).isFailed();
      if (!failed && due.isDone(day) && verification.isDue(day)) {
        verification.run(day, newest.get(), nights.live());
      }
    }
  }

  /**
   * Tells the days that no run verifies any more. They are told for as many days as {@code
   * verify.days} has.
   *
   * @param first the first day of the window
   * @param verified the days that this run verifies
   */
  private void tellUnverified(LocalDate first, Set<LocalDate> verified) throws IOException {
    List<String> left = new ArrayList<>();
    for (LocalDate day = first.minusDays(context.config().verify().days());
        day.isBefore(first);
        day = day.plusDays(1)) {
      boolean ours = !day.isBefore(context.config().firstDay()) && !verified.contains(day);
      if (ours && due.isDone(day) && verification.isDue(day)) {
        left.add(day.toString());
      }
    }
    if (!left.isEmpty()) {
      context
          .result()
          .add("not verified within verify.days, and not any more: " + String.join(", ", left));
    }
  }
}
