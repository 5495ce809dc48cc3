package io.tsdbsuite.ingest.config;

/** What a group reads; the names are those of the stock plugin. */
public enum ConsumerType {
  /** Points and rollups, as they come. */
  RAW,
  /** The same; a second name, so that the configuration says what the topic is for. */
  ROLLUP,
  /** What {@link #RAW} groups put back, after its delay. */
  REQUEUE_RAW,
  /** What {@link #ROLLUP} groups put back, after its delay. */
  REQUEUE_ROLLUP;

  /** Whether messages wait for the requeue delay. */
  public boolean requeued() {
    return this == REQUEUE_RAW || this == REQUEUE_ROLLUP;
  }
}
