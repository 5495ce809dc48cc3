package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.rollup.report.Tally;
import java.util.Locale;

/** The result of comparing one series and interval. */
public enum Verdict implements Tally.Reason {
  /** All values are stored and equal the values computed from raw data. */
  EQUAL,
  /** Raw data give a rollup, and none is stored. */
  MISSING,
  /** A rollup is stored, and raw data give none. */
  EXTRA,
  /** A value differs, is missing, or is stored twice with different values. */
  DIFFERENT;

  /** The name in the report. */
  @Override
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
