package io.tsdbsuite.ingest;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.publish.RequeuedPoints;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import java.time.Clock;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.StorageExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends points that came over HTTP or telnet and that HBase rejected to Kafka. A group of type
 * REQUEUE_RAW or REQUEUE_ROLLUP stores them later. Configured in {@code
 * tsd.core.storage_exception_handler.plugin}.
 */
public final class KafkaStorageExceptionHandler extends StorageExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaStorageExceptionHandler.class);

  private volatile @Nullable RequeuedPoints points;

  /** Called by the TSD. */
  public KafkaStorageExceptionHandler() {}

  /**
   * Reads the configuration; the first point opens the connection to Kafka.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  @Override
  public void initialize(TSDB tsdb) {
    try {
      IngestConfig config =
          IngestConfig.read(
              tsdb.getConfig().getMap(), IngestConfig.Reader.STORAGE_EXCEPTION_HANDLER);
      points = new RequeuedPoints(config, Clock.systemUTC());
      IngestStats.addSource(tsdb, this::collectStats);
    } catch (IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      throw e;
    }
  }

  /** Sends the queued points. The TSD calls this twice. */
  @Override
  public Deferred<Object> shutdown() {
    RequeuedPoints open = points;
    points = null;
    if (open != null) {
      open.close();
    }
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return PluginVersion.of(KafkaStorageExceptionHandler.class);
  }

  @Override
  public void collectStats(StatsCollector collector) {
    RequeuedPoints open = points;
    if (open != null) {
      collector.record("kafka-ingest.seh.points", open.producer.acknowledged(), "state=requeued");
      collector.record("kafka-ingest.seh.points", open.producer.lost(), "state=lost");
      collector.record("kafka-ingest.seh.queued", open.producer.queued());
    }
  }

  /** Queues a point without blocking; a lost point is counted and logged. */
  @Override
  public void handleError(IncomingDataPoint point, Exception cause) {
    RequeuedPoints open = points;
    if (open == null) {
      LOG.error("a point that HBase refused after the shutdown is lost: {}", point);
      return;
    }
    open.add(point, ReceivedBy.of(new Throwable().getStackTrace()));
  }
}
