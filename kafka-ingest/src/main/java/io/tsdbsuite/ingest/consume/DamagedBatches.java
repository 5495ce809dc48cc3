package io.tsdbsuite.ingest.consume;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Batches of records that Kafka's client cannot read, because of a wrong checksum or a failed
 * decompression. Thread-safe.
 *
 * <p>The client throws a plain {@link KafkaException}, which names the partition in its message
 * only. Source: CompletedFetch of kafka-clients 3.9.2.
 */
final class DamagedBatches {
  private static final int MAX_DEPTH = 8;

  private final Map<TopicPartition, Long> seen = new ConcurrentHashMap<>();

  /** The partition with the damaged batch; null for any other exception. */
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

  /** Message of the innermost exception. */
  static String describe(KafkaException thrown) {
    Throwable at = thrown;
    for (int depth = 0; depth < MAX_DEPTH && at.getCause() != null; depth++) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }

  /** Records a damaged batch; returns whether the same batch was recorded before. */
  boolean isSecond(TopicPartition partition, long offset) {
    Long before = seen.put(partition, offset);
    return before != null && before == offset;
  }
}
