package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.LoadReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Measures the phases of a load, for the report. */
final class Phases {
  private final InstantSource clock;
  private final LoadReport.Builder report;

  Phases(InstantSource clock, LoadReport.Builder report) {
    this.clock = clock;
    this.report = report;
  }

  /** Runs a phase, or a part of one. */
  void timed(String phase, Runnable step) {
    Instant start = clock.instant();
    try {
      step.run();
    } finally {
      report.phase(phase, Duration.between(start, clock.instant()));
    }
  }
}
