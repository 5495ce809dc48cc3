package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.publish.MessageHeaders;
import io.tsdbsuite.message.read.BadMessageException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the dead-letter topic and the requeue topic of a group. Thread-safe.
 *
 * <p>A dead letter that is too large to be read is sent as a stub, and one that is too large for
 * Kafka is sent again as a stub: without its value, with its topic, partition and offset. So no
 * message can block its partition by its size.
 */
final class OutputTopics {
  /** Maximum of the plugin's header values and of a stub's key, bytes. */
  static final int MAX_BYTES = 1024;

  private final GroupConfig group;
  private final AsyncProducer producer;
  private final Clock clock;

  /**
   * Thrown when Kafka has not accepted a dead letter or a requeued message. The consumer retries,
   * as after an outage of HBase.
   */
  static final class OutputTopicException extends Exception {
    private static final long serialVersionUID = 1L;

    OutputTopicException(Throwable cause) {
      super("Kafka did not take a record for the dead-letter or requeue topic: " + cause, cause);
    }
  }

  OutputTopics(GroupConfig group, AsyncProducer producer, Clock clock) {
    this.group = group;
    this.producer = producer;
    this.clock = clock;
  }

  /**
   * Sends a message, or a part of it.
   *
   * @param value all of the message's, an array of some of its elements, or one of them
   * @param index of that one element; -1 for others
   * @param done called once: with null when Kafka has acknowledged it, else with the failure
   */
  void deadLetter(
      ConsumerRecord<byte[], byte[]> record,
      byte @Nullable [] value,
      BadMessageException problem,
      int index,
      Consumer<@Nullable Throwable> done) {
    List<Header> own = ownHeaders(record, problem, index);
    if (value != null && value.length > group.ingest.messageLimits.maxBytes()) {
      // It would wait in memory for Kafka, which is unlikely to take it.
      producer.send(stub(record, value, own), done);
      return;
    }
    List<Header> headers = foreignHeaders(record);
    headers.addAll(own);
    producer.send(
        new ProducerRecord<>(group.deadLetterTopic, null, record.key(), value, headers),
        failure -> {
          if (isTooLarge(failure)) {
            producer.send(stub(record, value, own), done);
          } else {
            done.accept(failure);
          }
        });
  }

  /** The plugin's headers of a dead letter. */
  private List<Header> ownHeaders(
      ConsumerRecord<byte[], byte[]> record, BadMessageException problem, int index) {
    List<Header> own = new ArrayList<>();
    add(own, MessageHeaders.REASON, MessageHeaders.bytes(problem.reason().code()));
    add(
        own,
        MessageHeaders.MESSAGE,
        MessageHeaders.bytes(String.valueOf(problem.getMessage()), MAX_BYTES));
    add(own, MessageHeaders.GROUP, MessageHeaders.bytes(group.name));
    add(own, MessageHeaders.TOPIC, MessageHeaders.bytes(record.topic()));
    add(own, MessageHeaders.PARTITION, MessageHeaders.bytes(record.partition()));
    add(own, MessageHeaders.OFFSET, MessageHeaders.bytes(record.offset()));
    if (index >= 0) {
      add(own, MessageHeaders.ELEMENT, MessageHeaders.bytes(index));
    }
    return own;
  }

  private ProducerRecord<byte[], byte[]> stub(
      ConsumerRecord<byte[], byte[]> record, byte @Nullable [] value, List<Header> own) {
    List<Header> headers = new ArrayList<>(own);
    add(headers, MessageHeaders.LEFT_OUT, MessageHeaders.bytes(value == null ? 0 : value.length));
    byte[] key = record.key() == null || record.key().length > MAX_BYTES ? null : record.key();
    return new ProducerRecord<>(group.deadLetterTopic, null, key, null, headers);
  }

  /** Whether the producer or a broker rejected a record for its size. */
  static boolean isTooLarge(@Nullable Throwable failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException;
  }

  /** Sends a whole message, unchanged, to be retried after the group's delay. */
  void requeue(QueuedMessage message, Consumer<@Nullable Throwable> done) {
    ConsumerRecord<byte[], byte[]> record = message.record;
    long now = clock.millis();
    long firstRead = Math.min(message.firstReadAt(), now);
    List<Header> headers = foreignHeaders(record);
    add(headers, MessageHeaders.REQUEUED_AT, MessageHeaders.bytes(now));
    add(headers, MessageHeaders.FIRST_READ_AT, MessageHeaders.bytes(firstRead));
    add(headers, MessageHeaders.ATTEMPT, MessageHeaders.bytes(message.attempts() + 1));
    if (group.type == ConsumerType.REPAIR) {
      add(headers, MessageHeaders.REQUESTED_AT, MessageHeaders.bytes(message.requestedAt()));
    }
    producer.send(
        new ProducerRecord<>(group.requeueTopic, null, record.key(), record.value(), headers),
        done);
  }

  /** The headers of the message, without the plugin's headers. */
  private static List<Header> foreignHeaders(ConsumerRecord<byte[], byte[]> record) {
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
