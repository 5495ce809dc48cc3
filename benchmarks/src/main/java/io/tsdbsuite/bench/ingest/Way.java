package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.testkit.TsdServer;

/** One way of data into HBase. */
interface Way {
  /** Its name, for people. */
  String name();

  /** The TSD that does the work. */
  TsdServer tsd();

  /** Everything that is not measured: messages go into the topic, requests are built. */
  void prepare();

  /** Lets it go; may return before all is done. */
  void start();

  /**
   * Whether HBase has acknowledged everything.
   *
   * @throws IllegalStateException when something failed
   */
  boolean isDone();

  /** Ends a round. */
  void stop();
}
