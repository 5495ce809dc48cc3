package io.tsdbsuite.bulk.progress;

import java.time.Duration;
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
}
