package io.tsdbsuite.ingest;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.mask.MaskStats;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.RpcPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes topics while the TSD runs; configured in {@code tsd.rpc.plugins}.
 *
 * <p>An invalid configuration stops the start of the TSD and reports all its problems. After that
 * the plugin never stops the TSD; Kafka and HBase need not be available.
 */
public final class KafkaIngestPlugin extends RpcPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaIngestPlugin.class);

  private volatile @Nullable IngestService service;

  /** Called by the TSD. */
  public KafkaIngestPlugin() {}

  /**
   * Starts the consumer groups.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  @Override
  public void initialize(TSDB tsdb) {
    try {
      service = IngestService.start(tsdb);
      IngestStats.addSource(tsdb, this::collectStats);
    } catch (IllegalArgumentException e) {
      // The TSD reports it as a nested cause only.
      LOG.error("{}", e.getMessage());
      throw e;
    }
  }

  /** Stops polling, waits for HBase, commits, leaves the groups. */
  @Override
  public Deferred<Object> shutdown() {
    return IngestService.stop(
        "kafka-ingest-shutdown",
        () -> {
          IngestService running = service;
          if (running != null) {
            running.stop();
          }
        });
  }

  @Override
  public String version() {
    return PluginVersion.of(KafkaIngestPlugin.class);
  }

  @Override
  public void collectStats(StatsCollector collector) {
    IngestService running = service;
    if (running != null) {
      IngestStats.collect(running.groups, collector);
      IngestStats.collect(running.otherWidths, collector);
      IngestStats.collect(running.packed, collector);
      MaskStats masks = running.maskStats();
      if (masks != null) {
        IngestStats.collect(masks, running.requests, "groups", collector);
      }
    }
  }
}
