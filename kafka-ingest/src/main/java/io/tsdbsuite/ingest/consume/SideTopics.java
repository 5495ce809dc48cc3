package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.message.BadMessageException;
import io.tsdbsuite.ingest.message.Element;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The dead-letter topic and the requeue topic of a group. Thread-safe. */
final class SideTopics {
  private final GroupConfig group;
  private final Outbox outbox;
  private final Clock clock;

  SideTopics(GroupConfig group, Outbox outbox, Clock clock) {
    this.group = group;
    this.outbox = outbox;
    this.clock = clock;
  }

  /** A whole message, as it came. */
  void deadLetter(
      ConsumerRecord<byte[], byte[]> record,
      BadMessageException problem,
      Consumer<Throwable> done) {
    send(record, record.value(), problem, -1, done);
  }

  /** One element of an array, by itself. */
  void deadLetter(
      ConsumerRecord<byte[], byte[]> record,
      Element element,
      int index,
      BadMessageException problem,
      Consumer<Throwable> done) {
    byte[] value = Arrays.copyOfRange(record.value(), element.from(), element.to());
    send(record, value, problem, index, done);
  }

  private void send(
      ConsumerRecord<byte[], byte[]> record,
      byte[] value,
      BadMessageException problem,
      int index,
      Consumer<Throwable> done) {
    List<Header> headers = headers(record);
    add(headers, Headers.REASON, Headers.bytes(problem.reason().code()));
    add(headers, Headers.MESSAGE, Headers.bytes(problem.getMessage()));
    add(headers, Headers.GROUP, Headers.bytes(group.name()));
    add(headers, Headers.TOPIC, Headers.bytes(record.topic()));
    add(headers, Headers.PARTITION, Headers.bytes(record.partition()));
    add(headers, Headers.OFFSET, Headers.bytes(record.offset()));
    if (index >= 0) {
      add(headers, Headers.ELEMENT, Headers.bytes(index));
    }
    outbox.send(
        new ProducerRecord<>(group.deadLetterTopic(), null, record.key(), value, headers), done);
  }

  /** The tries by way of the requeue topic that the message has behind it. */
  static int attempts(ConsumerRecord<byte[], byte[]> record) {
    return (int) Headers.number(record.headers(), Headers.ATTEMPT, 0);
  }

  /** A whole message, as it came, to be tried again after the group's delay. */
  void requeue(ConsumerRecord<byte[], byte[]> record, Consumer<Throwable> done) {
    long now = clock.millis();
    long firstRead = Headers.number(record.headers(), Headers.FIRST_READ_AT, now);
    List<Header> headers = headers(record);
    add(headers, Headers.REQUEUED_AT, Headers.bytes(now));
    add(headers, Headers.FIRST_READ_AT, Headers.bytes(firstRead));
    add(headers, Headers.ATTEMPT, Headers.bytes(attempts(record) + 1));
    outbox.send(
        new ProducerRecord<>(group.requeueTopic(), null, record.key(), record.value(), headers),
        done);
  }

  /** The headers that the message came with, less those that the plugin writes anew. */
  private static List<Header> headers(ConsumerRecord<byte[], byte[]> record) {
    List<Header> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      if (!header.key().startsWith("kafka-ingest.")) {
        headers.add(header);
      }
    }
    return headers;
  }

  private static void add(List<Header> headers, String name, byte[] value) {
    headers.add(new RecordHeader(name, value));
  }
}
