package io.tsdbsuite.ingest;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.ingest.consume.RepairRequests;
import io.tsdbsuite.ingest.store.RepairIntervals;
import java.time.Clock;
import java.util.List;
import net.opentsdb.core.TSDB;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what requests rollups of late points, if the configuration has a topic for it. */
final class LateRequests {
  private static final Logger LOG = LoggerFactory.getLogger(LateRequests.class);

  private LateRequests() {}

  /**
   * Creates it; null if there is no coverage, no topic, or no rollup that can be repaired.
   *
   * @param name of the producer
   */
  static @Nullable RepairRequests of(IngestConfig config, TSDB tsdb, String name, Ticker ticker) {
    if (config.coverageTable().isEmpty() || config.requestTopic().isEmpty()) {
      return null;
    }
    List<String> intervals = RepairIntervals.of(tsdb);
    if (intervals.isEmpty()) {
      LOG.warn(
          "late points are left to the nightly run: tsd.rollups.config must have intervals, which"
              + " all divide the hour or are whole hours that divide the day");
      return null;
    }
    return new RepairRequests(
        name,
        config.requestTopic(),
        intervals,
        config.requestsPerMinute(),
        config.repairDelayMillis() / 2,
        KafkaSettings.producer(config.kafka(), name),
        Clock.systemUTC(),
        ticker);
  }
}
