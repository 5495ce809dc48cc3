package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.testkit.TsdServer;

/** An implementation that stores data in HBase. */
interface Way {
  /** Its name in reports. */
  String name();

  /** The TSD that stores the data. */
  TsdServer tsd();

  /** Unmeasured preparation: sends messages to the topic or builds requests. */
  void prepare();

  /** Starts a round; may return before its end. */
  void start();

  /**
   * Whether HBase has acknowledged all data of the round.
   *
   * @throws IllegalStateException when a point failed
   */
  boolean isDone();

  /** Ends a round. */
  void stop();
}
