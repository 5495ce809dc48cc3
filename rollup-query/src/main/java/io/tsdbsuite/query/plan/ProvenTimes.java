package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.query.run.StockRunner;

/** For which times rollups are proven to be stored: one reading of the coverage. */
public interface ProvenTimes extends StockRunner.RawFloors {
  /**
   * The times of which every rollup of the metric is readable and shows all points. A rollup counts
   * only if its whole interval is in it.
   *
   * @param level an interval as rollup_config.json writes it, for example {@code 1h}, whose rollups
   *     have sum, min, max and count; or {@code 1h.p99} of a further aggregator
   * @param widthMillis its length, milliseconds
   */
  TimeRanges proven(String level, long widthMillis, String metric);

  /** As {@link #proven}, with the times whose rollups can be read but lack new points. */
  default TimeRanges stored(String level, long widthMillis, String metric) {
    return proven(level, widthMillis, metric);
  }

  /**
   * Before which rollups of an interval may be gone, milliseconds: they are not {@link #proven}.
   *
   * @return 0 if none are
   */
  default long rollupFloor(String interval, String metric) {
    return 0;
  }

  @Override
  default long rawFloor(String metric) {
    return 0;
  }

  @Override
  default boolean floorsKnown() {
    return true;
  }

  @Override
  default String reason() {
    return "";
  }

  /**
   * When its reading began, milliseconds of the clock of the {@link Planner}. By default it is
   * always new.
   */
  default long began() {
    return Long.MAX_VALUE;
  }
}
