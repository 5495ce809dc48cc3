package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The dead-letter topic and the requeue topic of a group. Thread-safe.
 *
 * <p>A dead letter that is larger than Kafka takes is sent once more as a stub: without its value,
 * but with where it is. So no message can hold up its partition by its size.
 */
final class SideTopics {
  /** Longest value of a header of ours, and longest key of a stub, bytes. */
  static final int MAX_BYTES = 1024;

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
    List<Header> own = why(record, problem, index);
    List<Header> headers = headers(record);
    headers.addAll(own);
    outbox.send(
        new ProducerRecord<>(group.deadLetterTopic(), null, record.key(), value, headers),
        failure -> {
          if (isTooLarge(failure)) {
            outbox.send(stub(record, value, own), done);
          } else {
            done.accept(failure);
          }
        });
  }

  /** What the plugin says of a dead letter. */
  private List<Header> why(
      ConsumerRecord<byte[], byte[]> record, BadMessageException problem, int index) {
    List<Header> own = new ArrayList<>();
    add(own, Headers.REASON, Headers.bytes(problem.reason().code()));
    add(own, Headers.MESSAGE, Headers.bytes(problem.getMessage(), MAX_BYTES));
    add(own, Headers.GROUP, Headers.bytes(group.name()));
    add(own, Headers.TOPIC, Headers.bytes(record.topic()));
    add(own, Headers.PARTITION, Headers.bytes(record.partition()));
    add(own, Headers.OFFSET, Headers.bytes(record.offset()));
    if (index >= 0) {
      add(own, Headers.ELEMENT, Headers.bytes(index));
    }
    return own;
  }

  private ProducerRecord<byte[], byte[]> stub(
      ConsumerRecord<byte[], byte[]> record, byte[] value, List<Header> own) {
    List<Header> headers = new ArrayList<>(own);
    add(headers, Headers.LEFT_OUT, Headers.bytes(value == null ? 0 : value.length));
    byte[] key = record.key() == null || record.key().length > MAX_BYTES ? null : record.key();
    return new ProducerRecord<>(group.deadLetterTopic(), null, key, null, headers);
  }

  /** Whether a record was refused for its size, by the producer or by a broker. */
  static boolean isTooLarge(Throwable failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException;
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
