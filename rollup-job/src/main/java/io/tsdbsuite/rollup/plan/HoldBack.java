package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.rollup.Duration;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How far a run stays behind the present, so that it emits no bucket that a TSD still reads from
 * raw data. Source: docs/delayed-rollups.md.
 *
 * @param seconds 0 or more; 0 holds nothing back
 * @param splitPoint the present less {@code seconds}, whole seconds: no bucket may end after it
 */
public record HoldBack(long seconds, Instant splitPoint) {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** As a TSD counts: the present in whole seconds, less {@code seconds}. */
  public static HoldBack of(long seconds, Clock clock) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    return new HoldBack(seconds, now.minusSeconds(seconds));
  }

  /**
   * Reads a duration as OpenTSDB writes it, or zero with a unit.
   *
   * @return seconds
   * @throws IllegalArgumentException naming the option, the rule and the value
   */
  public static long parse(String option, String text) {
    if (text.matches("(?i)0+[smhdwny]")) {
      return 0;
    }
    Duration duration = Duration.parse(text);
    if (duration == null) {
      throw new IllegalArgumentException(
          option
              + " must be a number and one of the units s m h d w n y, like 3h, or 0s to hold"
              + " nothing back, found: "
              + text);
    }
    return duration.seconds();
  }

  /** Whether anything is held back. */
  public boolean isOn() {
    return seconds > 0;
  }

  /**
   * Whether every bucket of a window may be emitted. A bucket that ends at the split point may.
   *
   * @param to end of the window, exclusive, seconds since the epoch
   */
  public boolean allows(long to) {
    return !isOn() || to <= splitPoint.getEpochSecond();
  }

  /**
   * The latest end of a window that is allowed.
   *
   * @param unit what windows are made of: hours, or days
   */
  public Instant newestEnd(ChronoUnit unit) {
    return splitPoint.truncatedTo(unit);
  }

  /** First second of the latest whole day that is allowed, UTC. */
  public Instant newestDay() {
    return splitPoint.truncatedTo(ChronoUnit.DAYS).minusSeconds(DAY);
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

  /** For a person: the length and what follows from it. */
  @Override
  public String toString() {
    return isOn() ? text() + ", no bucket after " + splitPoint : "none";
  }
}
