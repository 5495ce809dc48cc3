package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import java.nio.file.Path;
import java.time.Clock;

/**
 * What all steps of a run share.
 *
 * @param stack HBase, Kafka and S3
 * @param tsd the TSD, with both plugins
 * @param rollups its rollup configuration
 * @param rate the points of all whole days and of the last days
 * @param window the times of the run
 * @param console receives progress and results
 * @param clock the present
 */
record Environment(
    Stack stack,
    TsdServer tsd,
    RollupConfig rollups,
    RequestRate rate,
    Timeline window,
    Console console,
    Clock clock) {
  TsdClient client() {
    return tsd.client();
  }

  /** The TSD's opentsdb.conf. */
  Path tsdConfig() {
    return tsd.configFile();
  }

  void step(String format, Object... args) {
    console.step(format, args);
  }
}
