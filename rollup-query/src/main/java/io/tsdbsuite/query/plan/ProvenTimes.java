package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.TimeRanges;

/** For which times rollups are proven to be stored: the coverage. */
public interface ProvenTimes {
  /**
   * The times of which every rollup of the metric is readable. A rollup counts only if its whole
   * interval is in it.
   *
   * @param interval as rollup_config.json writes it, for example {@code 1h}
   * @param widthMillis its length, milliseconds
   */
  TimeRanges proven(String interval, long widthMillis, String metric);
}
