package io.tsdbsuite.ingest.publish;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.write.SeriesKey;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.HistogramPojo;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.rollup.RollUpDataPoint;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends points that HBase rejected from the TSD to the requeue topics. Thread-safe. */
public final class RequeuedPoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RequeuedPoints.class);

  /** Counts the points; each that is lost was logged. */
  public final BoundedProducer producer;

  private final ObjectMapper mapper =
      new ObjectMapper().setSerializationInclusion(JsonInclude.Include.NON_NULL);
  private final Map<String, String> topics;
  private final Clock clock;

  /** Creates the producer; topics and limits come from the configuration. */
  public RequeuedPoints(IngestConfig config, Clock clock) {
    this.topics = config.requeueTopics;
    this.clock = clock;
    this.producer =
        new BoundedProducer(
            "kafka-ingest-seh",
            KafkaSettings.producer(config.kafka, "kafka-ingest-seh"),
            config.sehMaxQueued);
  }

  /**
   * Queues a point. Never blocks, never throws.
   *
   * @param origin decides the width of the stored value when the point comes back
   */
  public void add(IncomingDataPoint point, Origin origin) {
    producer.send(
        () -> record(point, origin),
        reason -> LOG.error("a point that HBase refused is lost, {}: {}", reason, point));
  }

  /** The record of a point: a Metric, Aggregate or Histogram message. */
  ProducerRecord<byte[], byte[]> record(IncomingDataPoint point, Origin origin)
      throws JsonProcessingException {
    ObjectNode json = mapper.valueToTree(point);
    String kind = "raw";
    String type = MessageTypes.METRIC;
    if (point instanceof RollUpDataPoint) {
      type = MessageTypes.AGGREGATE;
      String interval = ((RollUpDataPoint) point).getInterval();
      kind = interval == null || interval.isEmpty() ? "preaggregate" : "rollup";
    } else if (point instanceof HistogramPojo) {
      type = MessageTypes.HISTOGRAM;
      kind = "histogram";
    }
    json.put(FieldNames.TYPE, type);
    if (!(point instanceof HistogramPojo)) {
      json.put(FieldNames.TSD_ORIGIN, origin.code());
    }
    String topic = topics.getOrDefault(kind, topics.get("default"));
    List<Header> headers =
        Collections.singletonList(
            new RecordHeader(MessageHeaders.REQUEUED_AT, MessageHeaders.bytes(clock.millis())));
    return new ProducerRecord<>(
        topic,
        null,
        SeriesKey.of(point.getMetric(), point.getTags()),
        mapper.writeValueAsBytes(json),
        headers);
  }

  /** Sends the queued points, for at most twenty seconds. */
  @Override
  public void close() {
    producer.close();
  }
}
