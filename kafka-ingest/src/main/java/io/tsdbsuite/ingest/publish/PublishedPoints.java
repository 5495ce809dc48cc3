package io.tsdbsuite.ingest.publish;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.write.SeriesKey;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends raw points to the publisher's topic, keyed by series. Never blocks, never throws.
 * Thread-safe.
 *
 * <p>{@code received = acknowledged + dropped + queued}, except while a point is counted.
 */
public final class PublishedPoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PublishedPoints.class);
  private static final String NAME = "kafka-ingest-publisher";

  /** Counts the points; one that is lost, or over the limit, is dropped. */
  public final BoundedProducer producer;

  private final MetricJson json = new MetricJson();
  private final String topic;
  private final DropLog dropLog;
  private final LongAdder received = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Creates the producer; the first point opens the connection to Kafka. */
  public PublishedPoints(IngestConfig config, Ticker ticker) {
    this.topic = config.publisherTopic;
    this.producer =
        new BoundedProducer(
            NAME, KafkaSettings.publisher(config.kafka, NAME), config.publisherMaxQueued);
    this.dropLog =
        new DropLog(
            ticker,
            "%s points were stored and not published, the last one because: %s",
            LOG::error);
  }

  /**
   * Queues a point with an integer.
   *
   * @param timestamp seconds or milliseconds since the epoch, UTC
   */
  public void add(String metric, long timestamp, Map<String, String> tags, long value) {
    received.increment();
    producer.send(
        () -> record(metric, tags, json.encode(metric, timestamp, tags, value)), dropLog::dropped);
  }

  /**
   * Queues a point with a floating-point number.
   *
   * @param timestamp seconds or milliseconds since the epoch, UTC
   * @param origin the way in which the TSD received the point of these tags, which decides the
   *     width of its value; asked on this thread, and only if 4 bytes hold the value
   */
  public void add(
      String metric,
      long timestamp,
      Map<String, String> tags,
      double value,
      Function<Map<String, String>, Origin> origin) {
    received.increment();
    producer.send(
        () -> {
          boolean isWide = (float) value == value && origin.apply(tags) == Origin.HTTP;
          return record(metric, tags, json.encode(metric, timestamp, tags, value, isWide));
        },
        dropLog::dropped);
  }

  private ProducerRecord<byte[], byte[]> record(
      String metric, Map<String, String> tags, byte[] message) {
    return new ProducerRecord<>(topic, SeriesKey.of(metric, tags), message);
  }

  /** All points that were added. */
  public long received() {
    return received.sum();
  }

  /** Sends the queued points, for at most twenty seconds; a point that comes later is dropped. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    producer.close();
    int left = producer.queued();
    if (left > 0) {
      LOG.error("{} points were stored and not published before the TSD stopped", left);
    }
  }
}
