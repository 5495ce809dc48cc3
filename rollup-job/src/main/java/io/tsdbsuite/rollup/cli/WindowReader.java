package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Checks the options of the window, which must be whole and end before the split point. */
final class WindowReader {
  private static final long DAY = 86400;

  private final RollupCommand command;
  private final InputOptions input;
  private final Problems problems;

  /**
   * @param problems receives what is wrong
   */
  WindowReader(RollupCommand command, Problems problems) {
    this.command = command;
    this.input = command.input;
    this.problems = problems;
  }

  /**
   * A window.
   *
   * @param from first hour, inclusive, seconds since the epoch, UTC
   * @param to last hour, exclusive; {@code from} when nothing but changed rows is wanted
   */
  record Window(long from, long to) {
    @Override
    public String toString() {
      return Instant.ofEpochSecond(from) + " to " + Instant.ofEpochSecond(to);
    }
  }

  /** The window; null when it is not known. */
  Window window() {
    if (input.day != null) {
      problems.refuse("--from", input.from, "does not go with --day");
      problems.refuse("--to", input.to, "does not go with --day");
      Long day = problems.tried(() -> HourParser.day("--day", input.day));
      return day == null ? null : new Window(day, day + DAY);
    }
    boolean changedOnly =
        input.from == null && (command.changedSince != null || command.sinceReport != null);
    if (changedOnly && input.to != null) {
      Long to = hour("--to", input.to);
      return to == null ? null : new Window(to, to);
    }
    if (input.from == null || input.to == null) {
      problems.add("a window is required: --from and --to, or --day");
      return null;
    }
    Long from = hour("--from", input.from);
    Long to = hour("--to", input.to);
    if (from == null || to == null) {
      return null;
    }
    if (from >= to) {
      problems.add("--from must be before --to, found: " + input.from + " and " + input.to);
      return null;
    }
    return new Window(from, to);
  }

  private Long hour(String option, String text) {
    return problems.tried(() -> HourParser.hour(option, text));
  }

  /**
   * A day's rollup is made of all of its hours, so none may be outside the window.
   *
   * @param intervals null when they are not known
   * @param window null when it is not known
   */
  void wholeDays(RollupIntervals intervals, Window window) {
    if (intervals == null || !intervals.hasDay() || window == null) {
      return;
    }
    if (window.from() % DAY != 0 || window.to() % DAY != 0) {
      problems.add(
          "--interval "
              + intervals.ofDay().interval()
              + " needs whole days: --from and --to must be midnight, UTC, found: "
              + Instant.ofEpochSecond(window.from())
              + " and "
              + Instant.ofEpochSecond(window.to()));
    }
  }

  /**
   * How far the window stays behind the present; a window that it does not allow is a problem.
   *
   * @param intervals null when they are not known
   * @param window null when it is not known
   * @param clock the present, which the split point depends on
   * @return null when it is not known
   */
  HoldBack holdBack(RollupIntervals intervals, Window window, Clock clock) {
    String given = command.choice.holdBack;
    Long seconds =
        given != null
            ? problems.tried(() -> HoldBack.parse("--hold-back", given))
            : intervals == null ? null : (Long) intervals.latest().delaySlaSeconds();
    if (seconds == null) {
      return null;
    }
    HoldBack holdBack = HoldBack.of(seconds, clock);
    if (window != null && !holdBack.allows(window.to())) {
      problems.add(tooNew(intervals, window, holdBack));
    }
    return holdBack;
  }

  private String tooNew(RollupIntervals intervals, Window window, HoldBack holdBack) {
    String source =
        command.choice.holdBack == null ? ", the delaySla of " + intervals.latest().interval() : "";
    boolean days = intervals != null && intervals.hasDay();
    LocalDate newestDay = LocalDate.ofInstant(holdBack.newestDay(), ZoneOffset.UTC);
    return "the window "
        + window
        + " ends after the split point "
        + holdBack.splitPoint()
        + " (now less --hold-back "
        + holdBack.text()
        + source
        + "), where TSDs still read raw data; the newest allowed now is --to "
        + holdBack.newestEnd(days ? ChronoUnit.DAYS : ChronoUnit.HOURS)
        + " or --day "
        + newestDay
        + "; a smaller --hold-back allows more, --hold-back 0s everything"
        + " (docs/delayed-rollups.md)";
  }
}
