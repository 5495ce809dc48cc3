package io.tsdbsuite.ingest.consume;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes batches of records that Kafka's client cannot read because of a wrong checksum or a
 * failed decompression, and detects repeated failures of one batch. Thread-safe.
 *
 * <p>The client throws a plain {@link KafkaException} with the partition in its message only.
 * Source: CompletedFetch of kafka-clients 3.9.2.
 */
final class DamagedBatches {
  private static final int MAX_DEPTH = 8;

  private final Map<TopicPartition, Long> seen = new ConcurrentHashMap<>();

  /**
   * Returns the partition with the damaged batch; null if the exception has another cause.
   *
   * @param assigned all partitions of the consumer
   */
  static @Nullable TopicPartition partitionOf(
      KafkaException thrown, Collection<TopicPartition> assigned) {
    String message = String.valueOf(thrown.getMessage());
    for (TopicPartition partition : assigned) {
      if (message.contains("fetching the next record from " + partition + ". ")
          || message.contains("Record batch for partition " + partition + " at offset ")
          || message.contains("Record for partition " + partition + " at offset ")) {
        return partition;
      }
    }
    return null;
  }

  /** Returns the message of the innermost cause, at most 8 levels deep. */
  static String describe(KafkaException thrown) {
    Throwable at = thrown;
    for (int depth = 0; depth < MAX_DEPTH && at.getCause() != null; depth++) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }

  /**
   * Records a damaged batch; returns true if the previous damaged batch of the partition had the
   * same offset.
   *
   * @param offset offset of the batch's next record
   */
  boolean isSecond(TopicPartition partition, long offset) {
    Long before = seen.put(partition, offset);
    return before != null && before == offset;
  }
}
