package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Keyed;

/**
 * What becomes of times that are finer than OpenTSDB, or a load, stores: {@code --time-rounding}.
 */
public enum TimeRounding implements Keyed {
  /** Times finer than a millisecond are rejected. */
  REFUSE,
  /** Times are cut to whole milliseconds. */
  MS,
  /** Times are cut to whole seconds. */
  S;

  /** Whether times finer than a millisecond are cut. */
  boolean cuts() {
    return this != REFUSE;
  }
}
