package io.tsdbsuite.bulk.progress;

import java.time.Duration;
import java.util.Locale;

/** Progress as text. */
final class ProgressText {
  private static final double MEGABYTE = 1e6;

  private ProgressText() {}

  /** A line about a phase, its rates those since {@code last}. */
  static String line(PhaseStatus last, PhaseStatus now) {
    StringBuilder text = new StringBuilder(now.phase()).append(": ");
    if (now.isTotalKnown()) {
      text.append(String.format(Locale.ROOT, "%.1f %%, ", now.percent()));
    } else {
      text.append(String.format(Locale.ROOT, "%,d %s, ", now.work(), now.unit()));
    }
    text.append(rates(last, now));
    Duration remaining = now.remaining();
    if (remaining != null) {
      text.append(", ").append(clock(remaining)).append(" remaining");
    }
    return text.toString();
  }

  /** The last line about a phase, its rates the mean ones. */
  static String end(PhaseStatus end) {
    PhaseStatus start =
        new PhaseStatus(
            end.phase(),
            end.unit(),
            end.total(),
            end.skipped(),
            end.skipped(),
            0,
            0,
            Duration.ZERO);
    return String.format(
        Locale.ROOT,
        "%s: done, %,d %s and %,d points in %s, %s",
        end.phase(),
        end.work() - end.skipped(),
        end.unit(),
        end.points(),
        clock(end.elapsed()),
        rates(start, end));
  }

  static String rates(PhaseStatus last, PhaseStatus now) {
    double seconds = now.seconds() - last.seconds();
    if (seconds <= 0) {
      return "0 points/s, 0.0 MB/s";
    }
    return String.format(
        Locale.ROOT,
        "%,d points/s, %.1f MB/s",
        Math.round((now.points() - last.points()) / seconds),
        (now.bytes() - last.bytes()) / seconds / MEGABYTE);
  }

  /** Hours, minutes and seconds. */
  static String clock(Duration duration) {
    return String.format(
        Locale.ROOT,
        "%d:%02d:%02d",
        duration.toHours(),
        duration.toMinutesPart(),
        duration.toSecondsPart());
  }
}
