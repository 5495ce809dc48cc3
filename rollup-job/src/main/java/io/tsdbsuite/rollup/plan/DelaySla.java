package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.rollup.RollupInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Checks whether periodic runs like this one leave no gap in queries that TSDs split: a bucket must
 * be readable when the split point, now minus {@code delaySla}, reaches its end. Source:
 * docs/queries.md.
 *
 * @param interval interval of the rollup table
 * @param seconds the {@code delaySla}, more than 0
 * @param needed lower bound for {@code seconds}, known at the start of the run; it lacks the time
 *     until the last rollup is readable
 */
public record DelaySla(String interval, long seconds, Duration needed) {
  private static final long DAY = 86400;

  /**
   * Computes the requirement for each interval with a {@code delaySla}.
   *
   * @param from first hour of the window, inclusive, seconds since the epoch
   * @param to last hour, exclusive, seconds since the epoch; the same when there is no window
   * @param holdBack hold-back from the present at the start of the run, without the snapshot
   * @param taken time from the start of the run until now; no rollup is readable before now
   */
  public static List<DelaySla> of(
      RollupIntervals intervals, long from, long to, HoldBack holdBack, Duration taken) {
    if (from == to) {
      return List.of();
    }
    // Several days in one run are a backfill; the runs after it are nightly.
    long period = Math.min(to - from, DAY);
    Instant nextEnd = Instant.ofEpochSecond(to + period);
    boolean newest = holdBack.isOn() && nextEnd.isAfter(holdBack.newestEnd());
    long lag = newest ? holdBack.before().getEpochSecond() - to : holdBack.seconds();
    return intervals.all().stream()
        .filter(interval -> interval.delaySlaSeconds() > 0)
        .map(interval -> of(interval, period + lag, taken))
        .toList();
  }

  private static DelaySla of(RollupInterval interval, long seconds, Duration taken) {
    return new DelaySla(
        interval.interval(),
        interval.delaySlaSeconds(),
        Duration.ofSeconds(Math.max(0, seconds - interval.seconds())).plus(taken));
  }

  /** Whether queries certainly have gaps. */
  public boolean leavesHoles() {
    return needed.compareTo(Duration.ofSeconds(seconds)) > 0;
  }

  /** Returns the text for the plan. */
  @Override
  public String toString() {
    return ("%s for %s; runs like this one need %s and the time until the last rollup can be"
            + " read")
        .formatted(text(Duration.ofSeconds(seconds)), interval, text(needed));
  }

  /** Returns the warning for a {@code delaySla} that {@link #leavesHoles}. */
  public String warning() {
    return ("the delaySla of %s, %s, must be more than %s for runs like this one, else split"
            + " queries have holes until the next run (docs/queries.md)")
        .formatted(interval, text(Duration.ofSeconds(seconds)), text(needed));
  }

  /** Rounds up to minutes. */
  private static String text(Duration duration) {
    long minutes = duration.plusSeconds(59).toMinutes();
    return minutes / 60 + "h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + "m");
  }
}
