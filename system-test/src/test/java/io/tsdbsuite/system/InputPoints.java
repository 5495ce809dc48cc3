package io.tsdbsuite.system;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Messages for the topic of the points, each with a time of its own. */
final class InputPoints {
  private final List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
  private long elements;

  /**
   * A {@code Metric} message.
   *
   * @param timestamp seconds or milliseconds since the epoch
   * @param value a JSON value
   */
  static String point(String metric, String host, long timestamp, Object value) {
    return "{\"type\":\"Metric\",\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\""
        + host
        + "\"},\"timestamp\":"
        + timestamp
        + ",\"value\":"
        + value
        + "}";
  }

  /**
   * Adds a message.
   *
   * @param recordMillis time of the message, milliseconds since the epoch
   * @param points its elements; more than one make an array
   */
  void add(int partition, long recordMillis, String... points) {
    elements += points.length;
    String json = points.length == 1 ? points[0] : "[" + String.join(",", points) + "]";
    messages.add(
        new ProducerRecord<>(
            SystemStack.POINTS,
            partition,
            recordMillis,
            null,
            json.getBytes(StandardCharsets.UTF_8)));
  }

  /** A point in every partition, which moves the watermark to its time, seconds. */
  InputPoints tick(long seconds) {
    for (int partition = 0; partition < SystemStack.PARTITIONS; partition++) {
      add(partition, seconds * 1000, point("tick", "p" + partition, seconds, 1));
    }
    return this;
  }

  /** Sends what was added, in the order of the messages' times. */
  void send() {
    messages.sort(Comparator.comparing(ProducerRecord::timestamp));
    SystemStack.get().topics().send(messages);
    messages.clear();
  }

  /** Number of elements added since the beginning. */
  long elements() {
    return elements;
  }
}
