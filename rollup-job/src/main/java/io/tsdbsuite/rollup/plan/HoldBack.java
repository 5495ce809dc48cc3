package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.rollup.Duration;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * The minimum distance of a window's end from the present and from the snapshot. It prevents
 * emitting buckets that late points still change. Source: docs/queries.md.
 *
 * @param seconds maximum delay of points; 0 or more
 * @param before the present, or the creation time of the data snapshot if it is known and earlier;
 *     whole seconds
 * @param snapshot whether {@code before} is the time of the snapshot
 * @param isOn false if the user allows incomplete windows
 */
public record HoldBack(long seconds, Instant before, boolean snapshot, boolean isOn) {
  /**
   * Default in seconds: one hour, which is longer than the flush of a snapshot and the clock
   * differences.
   */
  public static final long DEFAULT = 3600;

  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** Holds back from the present. */
  public static HoldBack of(long seconds, Clock clock) {
    return new HoldBack(seconds, clock.instant().truncatedTo(ChronoUnit.SECONDS), false, true);
  }

  /** Allows every window, including incomplete ones. */
  public static HoldBack none() {
    return new HoldBack(0, Instant.EPOCH, false, false);
  }

  /** Holds back from a snapshot too, because it lacks later points. */
  public HoldBack behind(Instant snapshotTime) {
    Instant taken = snapshotTime.truncatedTo(ChronoUnit.SECONDS);
    return isOn && taken.isBefore(before) ? new HoldBack(seconds, taken, true, true) : this;
  }

  /** The latest time at which a bucket may end. */
  public Instant newestEnd() {
    return before.minusSeconds(seconds);
  }

  /**
   * Reads a duration as OpenTSDB writes it, or zero with a unit.
   *
   * @param like an example for the message
   * @return seconds
   * @throws IllegalArgumentException naming the option, the rule and the value
   */
  public static long parse(String option, String like, String text) {
    return Duration.parseSeconds(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s must be a number and one of the units s m h d w n y, like %s, found: %s"
                        .formatted(option, like, text)));
  }

  /**
   * Whether every bucket of a window may be emitted. A bucket that ends at {@link #newestEnd()}
   * may.
   *
   * @param to end of the window, exclusive, seconds since the epoch
   */
  public boolean allows(long to) {
    return !isOn || to <= newestEnd().getEpochSecond();
  }

  /**
   * Explains why a window is refused, and names a window that would be allowed.
   *
   * @param from first hour, inclusive, seconds since the epoch
   * @param to last hour, exclusive, seconds since the epoch
   * @param wholeDays whether a window must consist of whole days
   */
  public String refusal(long from, long to, boolean wholeDays) {
    return "the window "
        + Instant.ofEpochSecond(from)
        + " to "
        + Instant.ofEpochSecond(to)
        + " must end "
        + text()
        + " (--hold-back) before "
        + (snapshot ? "the data snapshot was taken, " : "now, ")
        + before
        + ": points may still have come after that; the newest allowed "
        + (snapshot ? "with this snapshot" : "now")
        + " is --to "
        + newestEnd(wholeDays ? ChronoUnit.DAYS : ChronoUnit.HOURS)
        + " or --day "
        + LocalDate.ofInstant(newestDay(), ZoneOffset.UTC)
        + (snapshot ? "; take a later snapshot" : "")
        + "; a smaller --hold-back allows more, --allow-incomplete everything"
        + " (docs/queries.md)";
  }

  /**
   * The latest end of a window that is allowed.
   *
   * @param unit the unit of windows: hours or days
   */
  public Instant newestEnd(ChronoUnit unit) {
    return newestEnd().truncatedTo(unit);
  }

  /** First second of the latest whole day that is allowed, UTC. */
  public Instant newestDay() {
    return newestEnd().truncatedTo(ChronoUnit.DAYS).minusSeconds(DAY);
  }

  /** The length in the largest unit that divides it, for example {@code 36h}. */
  public String text() {
    if (seconds > 0 && seconds % DAY == 0) {
      return seconds / DAY + "d";
    }
    if (seconds > 0 && seconds % HOUR == 0) {
      return seconds / HOUR + "h";
    }
    return seconds > 0 && seconds % MINUTE == 0 ? seconds / MINUTE + "m" : seconds + "s";
  }

  /** Returns text for the user: the length and its effect. */
  @Override
  public String toString() {
    return isOn
        ? text() + (snapshot ? " before the snapshot" : "") + ", no bucket after " + newestEnd()
        : "none (--allow-incomplete)";
  }
}
