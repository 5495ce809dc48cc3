package io.tsdbsuite.bulk.parse;

import java.util.Locale;

/**
 * What becomes of times that are finer than OpenTSDB, or a load, stores: {@code --time-rounding}.
 */
public enum TimeRounding {
  /** Times finer than a millisecond are rejected. */
  REFUSE,
  /** Times are cut to whole milliseconds. */
  MS,
  /** Times are cut to whole seconds. */
  S;

  /** Its name in options. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether times finer than a millisecond are cut. */
  boolean cuts() {
    return this != REFUSE;
  }
}
