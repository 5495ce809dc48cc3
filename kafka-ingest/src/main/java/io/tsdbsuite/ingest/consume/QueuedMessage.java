package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.publish.MessageHeaders;
import io.tsdbsuite.ingest.store.ElementSink;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A message in the {@link MessageQueue}, with its place in its partition. Immutable. */
final class QueuedMessage {
  final ConsumerRecord<byte[], byte[]> record;
  final PartitionProgress progress;

  /** The message's sequence number in {@link #progress}. */
  final long sequence;

  /** Bytes of key, value and headers. */
  final long bytes;

  private final long readMillis;

  /**
   * Creates a message.
   *
   * @param sequence its sequence number in {@code progress}
   * @param readMillis when this consumer first read it, milliseconds since the epoch
   */
  QueuedMessage(
      ConsumerRecord<byte[], byte[]> record,
      PartitionProgress progress,
      long sequence,
      long readMillis) {
    this.record = record;
    this.progress = progress;
    this.sequence = sequence;
    this.readMillis = readMillis;
    this.bytes = size(record);
  }

  private static long size(ConsumerRecord<byte[], byte[]> record) {
    long size = length(record.key()) + length(record.value());
    for (Header header : record.headers().toArray()) {
      size += header.key().length() + length(header.value());
    }
    return size;
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /**
   * When a request was first written to Kafka, milliseconds since the epoch; not later than it was
   * read.
   */
  long requestedAt() {
    return requestedAt(record, readMillis);
  }

  /** {@link #requestedAt()} of a record. */
  static long requestedAt(ConsumerRecord<byte[], byte[]> record, long readMillis) {
    long written =
        MessageHeaders.number(record.headers(), MessageHeaders.REQUESTED_AT, record.timestamp());
    return MessageHeaders.time(written, readMillis);
  }

  /**
   * When a requeued message was first read, milliseconds since the epoch; {@link ElementSink#NOW}
   * if it was never requeued.
   */
  long firstReadAt() {
    long first =
        MessageHeaders.number(record.headers(), MessageHeaders.FIRST_READ_AT, ElementSink.NOW);
    return first == ElementSink.NOW ? first : MessageHeaders.time(first, readMillis);
  }

  /** Number of times that it was requeued. */
  int attempts() {
    long attempts = MessageHeaders.number(record.headers(), MessageHeaders.ATTEMPT, 0);
    return (int) Math.max(0, Math.min(attempts, Integer.MAX_VALUE - 1));
  }
}
