package io.tsdbsuite.ingest.config;

/** What a group reads; the names are those of the stock plugin. */
public enum ConsumerType {
  /** Points and rollups, as they come. */
  RAW,
  /**
   * The same; but without a rollup configuration that can be used the TSD does not start, and
   * without offsets the group does not begin by itself where rollups are stored on other widths.
   */
  ROLLUP,
  /** What {@link #RAW} groups put back, after its delay. */
  REQUEUE_RAW,
  /** What {@link #ROLLUP} groups put back, after its delay. */
  REQUEUE_ROLLUP;

  /** Whether rollups are what it is for. */
  public boolean isRollup() {
    return this == ROLLUP || this == REQUEUE_ROLLUP;
  }

  /** Whether messages wait for the requeue delay. */
  public boolean requeued() {
    return this == REQUEUE_RAW || this == REQUEUE_ROLLUP;
  }
}
