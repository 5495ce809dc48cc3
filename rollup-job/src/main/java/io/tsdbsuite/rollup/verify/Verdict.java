package io.tsdbsuite.rollup.verify;

import java.util.Locale;

/** What a comparison of one series and interval ends with. */
public enum Verdict {
  /** All values are stored and are those that raw data make. */
  EQUAL,
  /** Raw data make a rollup, and none is stored. */
  MISSING,
  /** A rollup is stored, and raw data make none. */
  EXTRA,
  /** A value is another one, is not stored, or is stored twice so that no TSD can tell which. */
  DIFFERENT;

  /** The name in the report. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
