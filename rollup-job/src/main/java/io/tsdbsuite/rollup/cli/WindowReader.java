package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Checks the options of the window, which must be complete and end before the present. */
final class WindowReader {
  private static final long DAY = 86400;

  private final InputOptions input;
  private final boolean changedRows;
  private final Problems problems;

  /**
   * @param changedRows whether changed rows are rolled up too, which need no {@code --from}
   * @param problems receives the problems found
   */
  WindowReader(InputOptions input, boolean changedRows, Problems problems) {
    this.input = input;
    this.changedRows = changedRows;
    this.problems = problems;
  }

  /**
   * A window.
   *
   * @param from first hour, inclusive, seconds since the epoch, UTC
   * @param to last hour, exclusive; equal to {@code from} if only changed rows are rolled up
   */
  record Window(long from, long to) {
    @Override
    public String toString() {
      return Instant.ofEpochSecond(from) + " to " + Instant.ofEpochSecond(to);
    }
  }

  /** Returns the window; null if unknown. */
  @Nullable Window window() {
    String given = input.day;
    if (given != null) {
      problems.refuse("--from", input.from, "does not go with --day");
      problems.refuse("--to", input.to, "does not go with --day");
      Long day = problems.tried(() -> HourParser.day("--day", given));
      return day == null ? null : new Window(day, day + DAY);
    }
    if (changedRows && input.from == null && input.to != null) {
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

  private @Nullable Long hour(String option, String text) {
    return problems.tried(() -> HourParser.hour(option, text));
  }

  /**
   * Checks that the window consists of whole days if an interval is above an hour.
   *
   * @param intervals null when they are not known
   * @param window null when it is not known
   */
  void wholeDays(@Nullable RollupIntervals intervals, @Nullable Window window) {
    if (intervals == null || !intervals.needsDays() || window == null) {
      return;
    }
    if (window.from() % DAY != 0 || window.to() % DAY != 0) {
      problems.add(
          "--interval "
              + RollupIntervals.text(intervals.ofDay())
              + " needs whole days: --from and --to must be midnight, UTC, found: "
              + Instant.ofEpochSecond(window.from())
              + " and "
              + Instant.ofEpochSecond(window.to()));
    }
  }

  /**
   * Returns the hold-back from the present and reports a problem if it does not allow the window.
   * The snapshot's time is not known yet.
   *
   * @param intervals null when they are not known
   * @param window null when it is not known
   * @param clock the present
   * @return null if unknown
   */
  @Nullable HoldBack holdBack(
      ChoiceOptions choice,
      @Nullable RollupIntervals intervals,
      @Nullable Window window,
      Clock clock) {
    if (choice.allowIncomplete) {
      problems.refuse("--hold-back", choice.holdBack, "does not go with --allow-incomplete");
      return HoldBack.none();
    }
    String late = choice.holdBack;
    Long seconds =
        late == null
            ? (Long) HoldBack.DEFAULT
            : problems.tried(() -> HoldBack.parse("--hold-back", late));
    if (seconds == null) {
      return null;
    }
    HoldBack holdBack = HoldBack.of(seconds, clock);
    if (window != null && !holdBack.allows(window.to())) {
      boolean days = intervals != null && intervals.needsDays();
      problems.add(holdBack.refusal(window.from(), window.to(), days));
    }
    return holdBack;
  }
}
