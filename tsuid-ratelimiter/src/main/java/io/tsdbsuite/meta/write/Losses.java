package io.tsdbsuite.meta.write;

import org.slf4j.LoggerFactory;

/** Counts and logs writes that were given up. Thread-safe. */
final class Losses {
  private final Counters counters;
  private final LimitedLog log;

  Losses(Counters counters, Clock clock) {
    this.counters = counters;
    this.log = new LimitedLog(LoggerFactory.getLogger(Losses.class), clock);
  }

  /** Counts series that will not be written, and their points, which will not be added. */
  void lose(long series, long points, String why) {
    if (series > 0) {
      counters.seriesLost.add(series);
      counters.pointsLost.add(points);
      log.error(series + " series not written, " + points + " points not counted: " + why);
    }
  }
}
