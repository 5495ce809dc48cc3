package io.tsdbsuite.nightly.config;

import java.time.Duration;

/**
 * The verification of a sample.
 *
 * @param against what the raw data are compared with
 * @param tsd URL of the TSD; empty unless it is compared with
 * @param sample share of the series, as the job's option
 * @param metrics patterns of metrics, as the job's option; empty for those of the job
 * @param days number of days back in which a day without a verification of success is verified
 * @param patience time in which differences may vanish, because TSDs still store rollups
 */
public record VerifySettings(
    Against against, String tsd, String sample, String metrics, int days, Duration patience) {
  /** What the raw data are compared with. */
  public enum Against {
    /** Nothing: no verification. */
    NONE,
    /** The answers of a TSD. */
    TSD,
    /** Snapshots of the rollup tables. */
    SNAPSHOT
  }
}
