package io.tsdbsuite.bulk.progress;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A phase at one moment.
 *
 * @param phase its name
 * @param unit unit of its work
 * @param total work of the phase; 0 or less if not known
 * @param skipped work that an earlier process has done
 * @param work work done, {@code skipped} included
 * @param points points done by this process
 * @param bytes bytes done by this process
 * @param elapsed since this process began the phase
 */
record PhaseStatus(
    String phase,
    String unit,
    long total,
    long skipped,
    long work,
    long points,
    long bytes,
    Duration elapsed) {
  private static final double NANOS = 1e9;
  private static final double MEGABYTE = 1e6;

  double seconds() {
    return elapsed.toNanos() / NANOS;
  }

  boolean isTotalKnown() {
    return total > 0;
  }

  /** 0 to 100. */
  double percent() {
    return isTotalKnown() ? Math.min(100, 100.0 * work / total) : 0;
  }

  /** Estimated by the mean rate of this process; null if unknown. */
  @Nullable Duration remaining() {
    long done = work - skipped;
    if (!isTotalKnown() || done <= 0) {
      return null;
    }
    double seconds = seconds() * Math.max(0, total - work) / done;
    return Duration.ofSeconds(Math.round(Math.min(seconds, Integer.MAX_VALUE)));
  }

  /** A line about a phase, its rates those since {@code last}. */
  String line(PhaseStatus last) {
    StringBuilder text = new StringBuilder(phase).append(": ");
    if (isTotalKnown()) {
      text.append(String.format(Locale.ROOT, "%.1f %%, ", percent()));
    } else {
      text.append(String.format(Locale.ROOT, "%,d %s, ", work, unit));
    }
    text.append(rates(last));
    Duration remaining = remaining();
    if (remaining != null) {
      text.append(", ").append(clock(remaining)).append(" remaining");
    }
    return text.toString();
  }

  /** The last line about a phase, its rates the mean ones. */
  String end() {
    return String.format(
        Locale.ROOT,
        "%s: done, %,d %s and %,d points in %s, %s",
        phase,
        work - skipped,
        unit,
        points,
        clock(elapsed),
        rates(new PhaseStatus(phase, unit, total, skipped, skipped, 0, 0, Duration.ZERO)));
  }

  String rates(PhaseStatus last) {
    double seconds = seconds() - last.seconds();
    if (seconds <= 0) {
      return "0 points/s, 0.0 MB/s";
    }
    return String.format(
        Locale.ROOT,
        "%,d points/s, %.1f MB/s",
        Math.round((points - last.points()) / seconds),
        (bytes - last.bytes()) / seconds / MEGABYTE);
  }

  /** Hours, minutes and seconds. */
  private static String clock(Duration duration) {
    return String.format(
        Locale.ROOT,
        "%d:%02d:%02d",
        duration.toHours(),
        duration.toMinutesPart(),
        duration.toSecondsPart());
  }
}
