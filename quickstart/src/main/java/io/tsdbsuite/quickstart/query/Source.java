package io.tsdbsuite.quickstart.query;

/** Where the TSD is told to read from: the values of rollupUsage. */
public enum Source {
  /** Raw data, whatever rollups there are. */
  ROLLUP_RAW,
  /** Rollups, never raw data instead; since a split point raw data if splitting is on. */
  ROLLUP_NOFALLBACK
}
