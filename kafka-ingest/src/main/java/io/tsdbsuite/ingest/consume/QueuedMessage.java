package io.tsdbsuite.ingest.consume;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A message in the {@link MessageQueue}, with its place in its partition. Immutable. */
final class QueuedMessage {
  private final ConsumerRecord<byte[], byte[]> record;
  private final PartitionProgress progress;
  private final long sequence;

  QueuedMessage(ConsumerRecord<byte[], byte[]> record, PartitionProgress progress, long sequence) {
    this.record = record;
    this.progress = progress;
    this.sequence = sequence;
  }

  ConsumerRecord<byte[], byte[]> record() {
    return record;
  }

  PartitionProgress progress() {
    return progress;
  }

  /** The message's sequence number in {@link #progress}. */
  long sequence() {
    return sequence;
  }

  /** Bytes of key and value. */
  int bytes() {
    return Math.max(0, record.serializedValueSize()) + Math.max(0, record.serializedKeySize());
  }
}
