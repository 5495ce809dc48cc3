package io.tsdbsuite.query.shadow;

import java.util.Locale;

/** How a check ended. */
public enum ShadowOutcome {
  /** Rollup and raw data have the same values. */
  SAME,
  /** They have not, and the coverage claims it still. */
  DIFFERENT,
  /** Another check runs, or the time of rest after one is not over. */
  BUSY,
  /** The running queries hold almost what they may. */
  LOAD,
  /** The bucket is no longer proven: masked, removed, or the coverage cannot be read. */
  NOT_PROVEN,
  /** The raw data may have expired, or are below the floor of the metric. */
  EXPIRED,
  /** No series that was looked at has raw data. */
  NO_RAW_DATA,
  /** Already the first series has too many cells, or points of a percentile. */
  TOO_LARGE,
  /** Only OpenTSDB's own reader can read the raw data. */
  NOT_EXACT,
  /** Values changed while they were compared. */
  CHANGING,
  /** HBase did not answer, or a rollup cannot be read. */
  FAILED;

  /** Whether nothing can be said of the bucket. */
  boolean isSkipped() {
    return this != SAME && this != DIFFERENT;
  }

  /** The value of a tag, such as {@code no_raw_data}. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
