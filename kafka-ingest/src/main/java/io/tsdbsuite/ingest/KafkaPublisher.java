package io.tsdbsuite.ingest;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.mask.MaskWriter;
import io.tsdbsuite.ingest.mask.PublishedMasks;
import io.tsdbsuite.ingest.publish.PublishedPoints;
import io.tsdbsuite.ingest.publish.RepairRequests;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.TagsFromKafka;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import net.opentsdb.core.TSDB;
import net.opentsdb.meta.Annotation;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.RTPublisher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the raw points that the TSD accepts over HTTP and telnet to Kafka. Configured in {@code
 * tsd.rtpublisher.plugin}.
 *
 * <p>2.4.1 calls it when it has queued the put of a point, before HBase acknowledges the put. A
 * point that kafka-ingest writes comes from Kafka, and is not sent again.
 *
 * <p>The TSD ignores the returned Deferreds. An exception would fail the write of a point that is
 * already queued, so no method throws one.
 */
public final class KafkaPublisher extends RTPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);

  private final LongAdder fromKafka = new LongAdder();
  private final LongAdder histograms = new LongAdder();
  private final LongAdder annotations = new LongAdder();

  /** What ends at the shutdown, in this order. */
  private final List<Runnable> closing = new CopyOnWriteArrayList<>();

  private volatile @Nullable PublishedPoints points;
  private volatile @Nullable PublishedMasks masks;
  private volatile @Nullable MaskWriter maskWriter;
  private volatile @Nullable RepairRequests requests;

  /** The metrics whose late histograms are masked. */
  private volatile Predicate<String> histogramMetrics = metric -> false;

  /** Called by the TSD. */
  public KafkaPublisher() {}

  /**
   * Reads the configuration; the first point opens the connection to Kafka.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  @Override
  public void initialize(TSDB tsdb) {
    try {
      IngestConfig config =
          IngestConfig.read(tsdb.getConfig().getMap(), IngestConfig.Reader.PUBLISHER);
      MaskWriter writer =
          IngestService.maskWriter(
              config,
              tsdb,
              "kafka-ingest-publisher-mask-writer",
              Clock.systemUTC(),
              Ticker.systemTicker());
      if (writer != null) {
        histogramMetrics = ElementStore.histogramMetrics(tsdb);
        writer.look();
        maskWriter = writer;
        RepairRequests late =
            RepairRequests.of(
                config,
                tsdb,
                "kafka-ingest-publisher-requests",
                writer.floors(),
                Ticker.systemTicker());
        requests = late;
        PublishedMasks published =
            new PublishedMasks(
                writer, config.maskLimits, late, Clock.systemUTC(), Ticker.systemTicker());
        masks = published;
        closing.add(published::close);
        closing.add(writer::close);
        if (late != null) {
          closing.add(late::close);
        }
      }
      PublishedPoints open = new PublishedPoints(config, Ticker.systemTicker());
      points = open;
      closing.add(open::close);
      IngestStats.addSource(tsdb, this::collectStats);
    } catch (IllegalArgumentException e) {
      // The TSD reports it as a nested cause only.
      LOG.error("{}", e.getMessage());
      throw e;
    }
  }

  /** Sends the queued points. */
  @Override
  public Deferred<Object> shutdown() {
    return IngestService.stop(
        "kafka-ingest-publisher-shutdown", () -> closing.forEach(Runnable::run));
  }

  @Override
  public String version() {
    return PluginVersion.of(KafkaPublisher.class);
  }

  @Override
  public void collectStats(StatsCollector collector) {
    PublishedPoints open = points;
    if (open != null) {
      collector.record("kafka-ingest.publisher.points", open.received(), "state=received");
      collector.record(
          "kafka-ingest.publisher.points", open.producer.acknowledged(), "state=acknowledged");
      collector.record("kafka-ingest.publisher.points", open.producer.lost(), "state=dropped");
      collector.record("kafka-ingest.publisher.queued", open.producer.queued());
    }
    MaskWriter writer = maskWriter;
    if (writer != null) {
      IngestStats.collect(writer.stats(), requests, "publisher", collector);
    }
    collector.record("kafka-ingest.publisher.skipped", fromKafka.sum(), "kind=fromKafka");
    collector.record("kafka-ingest.publisher.skipped", histograms.sum(), "kind=histogram");
    collector.record("kafka-ingest.publisher.skipped", annotations.sum(), "kind=annotation");
  }

  @Override
  public Deferred<Object> publishDataPoint(
      String metric, long timestamp, long value, Map<String, String> tags, byte[] tsuid) {
    PublishedPoints to = target(metric, timestamp, tags, tsuid);
    if (to != null) {
      to.add(metric, timestamp, tags, value);
    }
    return Deferred.fromResult(null);
  }

  @Override
  public Deferred<Object> publishDataPoint(
      String metric, long timestamp, double value, Map<String, String> tags, byte[] tsuid) {
    PublishedPoints to = target(metric, timestamp, tags, tsuid);
    if (to != null) {
      to.add(metric, timestamp, tags, value, ReceivedBy::of);
    }
    return Deferred.fromResult(null);
  }

  /** What sends a point, which is masked if it is late; null if it is not sent. */
  private @Nullable PublishedPoints target(
      String metric, long timestamp, Map<String, String> tags, byte[] tsuid) {
    if (tags instanceof TagsFromKafka) {
      fromKafka.increment();
      return null;
    }
    PublishedPoints to = points;
    PublishedMasks late = masks;
    if (to != null && late != null) {
      late.add(metric, timestamp, tags, tsuid);
    }
    return to;
  }

  /**
   * Counts a histogram, which is not sent, and masks it if it is late and rollups are made from it.
   * The TSD's own implementation of this method throws.
   */
  @Override
  public Deferred<Object> publishHistogramPoint(
      String metric, long timestamp, byte[] value, Map<String, String> tags, byte[] tsuid) {
    histograms.increment();
    PublishedMasks late = masks;
    if (late != null && !(tags instanceof TagsFromKafka) && histogramMetrics.test(metric)) {
      late.add(metric, timestamp, tags, tsuid);
    }
    return Deferred.fromResult(null);
  }

  @Override
  public Deferred<Object> publishAnnotation(Annotation annotation) {
    annotations.increment();
    return Deferred.fromResult(null);
  }
}
