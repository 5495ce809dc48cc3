package io.tsdbsuite.ingest.config;

/**
 * Type of a consumer group; the names are the same as in opentsdb-rpc-kafka, which has no {@link
 * #REPAIR}.
 */
public enum ConsumerType {
  /** Reads points and rollups. */
  RAW,
  /**
   * Like {@link #RAW}, but with an unusable rollup configuration the TSD does not start, and a
   * group without offsets does not start reading if the rollup tables hold cells of other widths.
   */
  ROLLUP,
  /** Reads messages that {@link #RAW} groups requeued, after the requeue delay. */
  REQUEUE_RAW,
  /** Reads messages that {@link #ROLLUP} groups requeued, after the requeue delay. */
  REQUEUE_ROLLUP,
  /**
   * Reads requests for rollups, after the requeue delay, and computes the rollups from the stored
   * raw points.
   */
  REPAIR;

  /** Whether the type is for rollups. */
  public boolean isRollup() {
    return this == ROLLUP || this == REQUEUE_ROLLUP || this == REPAIR;
  }

  /** Whether messages are delayed by the requeue delay. */
  public boolean delayed() {
    return this == REQUEUE_RAW || this == REQUEUE_ROLLUP || this == REPAIR;
  }

  /** Whether the type is for raw points. */
  public boolean isRaw() {
    return this == RAW || this == REQUEUE_RAW;
  }
}
