package io.tsdbsuite.stream.it;

import io.tsdbsuite.testkit.KafkaTopics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Points as messages with a time of their own, and as lines of /api/put. */
final class Points {
  private final List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
  private final String topic;
  private final int partitions;

  Points(String topic, int partitions) {
    this.topic = topic;
    this.partitions = partitions;
  }

  /**
   * Adds a message.
   *
   * @param recordMillis time of the message
   * @param timestamp of the point, seconds or milliseconds
   * @param value JSON
   */
  Points add(
      int partition, long recordMillis, String metric, String host, long timestamp, String value) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"type\":\"Metric\",\"metric\":\"%s\",\"tags\":{\"host\":\"%s\"},\"timestamp\":%d,"
                + "\"value\":%s}",
            metric,
            host,
            timestamp,
            value);
    messages.add(
        new ProducerRecord<>(
            topic, partition, recordMillis, null, json.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  /** Adds a sketch, at the time of its message, seconds. */
  Points sketch(int partition, long seconds, String metric, String host, byte[] payload) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"type\":\"Histogram\",\"metric\":\"%s\",\"tags\":{\"host\":\"%s\"},"
                + "\"timestamp\":%d,\"id\":%d,\"value\":\"%s\"}",
            metric,
            host,
            seconds,
            JobRun.SKETCH_ID,
            Base64.getEncoder().encodeToString(payload));
    messages.add(
        new ProducerRecord<>(
            topic, partition, seconds * 1000, null, json.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  /** A message in every partition, which moves the watermark to its time. */
  Points tick(long recordSeconds) {
    for (int partition = 0; partition < partitions; partition++) {
      add(partition, recordSeconds * 1000, "tick", "p" + partition, recordSeconds, "1");
    }
    return this;
  }

  /** Drops the messages before a time, seconds. */
  Points dropBefore(long recordSeconds) {
    messages.removeIf(message -> message.timestamp() < recordSeconds * 1000);
    return this;
  }

  void send(KafkaTopics topics) {
    topics.send(messages);
    messages.clear();
  }
}
