package io.tsdbsuite.quickstart.ingest;

/** Brings rollup messages from Kafka into the TSD's rollup tables. */
public interface RollupIngest {
  /**
   * Waits until messages are stored.
   *
   * @param messages how many there are
   * @throws io.tsdbsuite.testkit.ServerException when they are not stored in time, or some were
   *     refused
   */
  void await(long messages);
}
