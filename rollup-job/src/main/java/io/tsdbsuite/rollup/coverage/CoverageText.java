package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.time.Instant;

/** Rows of the coverage table for people; times are UTC. */
public final class CoverageText {
  private CoverageText() {}

  static String times(CoverageWindow window) {
    return window.interval() + ", " + range(window.from() * 1000, window.to() * 1000);
  }

  /**
   * The times that a level is not proven for, and what to do; empty of an interval itself, of which
   * each run proves a window.
   */
  public static String howProven(String level, Instant from, Instant to) {
    return CoverageRows.interval(level).equals(level)
        ? ""
        : (" from %s to %s: raise the table's version to 3 (rollup-job coverage upgrade --levels),"
                + " then run coverage add with the report of the run that has made them, at most 7"
                + " days old, or roll up again")
            .formatted(from, to);
  }

  /** Milliseconds since the epoch. */
  static String range(long from, long to) {
    return Instant.ofEpochMilli(from) + " to " + Instant.ofEpochMilli(to);
  }

  /** A window. */
  public static String of(CoverageWindow window) {
    StringBuilder text = new StringBuilder(times(window));
    text.append(", as of ").append(Instant.ofEpochMilli(window.asOf()));
    if (!window.metrics().equals("*")) {
      text.append(", metrics ").append(window.metrics());
    }
    if (window.fullAsOf() < window.asOf()) {
      text.append(", all rows as of ").append(Instant.ofEpochMilli(window.fullAsOf()));
    }
    if (window.expires() != CoverageWindow.NEVER) {
      text.append(", expires ").append(Instant.ofEpochMilli(window.expires()));
    }
    return text.append(", writer ").append(window.writer()).toString();
  }

  static String of(CoverageFloor floor) {
    return "%s, before %s, metrics %s, as of %s, writer %s, evidence %s"
        .formatted(
            floor.level(),
            Instant.ofEpochSecond(floor.before()),
            floor.metrics(),
            Instant.ofEpochMilli(floor.asOf()),
            floor.writer(),
            floor.evidence());
  }

  static String of(CoverageMask mask) {
    return "%s, %s, metric %s, written %s"
        .formatted(
            mask.kind().code(),
            range(mask.from() * 1000, mask.to() * 1000),
            mask.metric(),
            Instant.ofEpochMilli(mask.time()));
  }
}
