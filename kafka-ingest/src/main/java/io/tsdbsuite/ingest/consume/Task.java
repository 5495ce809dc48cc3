package io.tsdbsuite.ingest.consume;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One message on its way to the writer. Immutable. */
final class Task {
  private final ConsumerRecord<byte[], byte[]> record;
  private final PartitionProgress progress;
  private final long sequence;

  Task(ConsumerRecord<byte[], byte[]> record, PartitionProgress progress, long sequence) {
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

  /** Its number in the progress. */
  long sequence() {
    return sequence;
  }

  int bytes() {
    return Math.max(0, record.serializedValueSize()) + Math.max(0, record.serializedKeySize());
  }
}
