package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Keyed;

/** The unit of the times in InfluxDB line protocol. */
public enum TimePrecision implements Keyed {
  /** Nanoseconds. */
  NS(1_000_000),
  /** Microseconds. */
  US(1_000),
  /** Milliseconds. */
  MS(1),
  /** Seconds. */
  S(0);

  private final long perMilli;

  TimePrecision(long perMilli) {
    this.perMilli = perMilli;
  }

  /** Number of units in a millisecond, 0 for seconds. */
  long perMilli() {
    return perMilli;
  }
}
