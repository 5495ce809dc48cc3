package io.tsdbsuite.ingest.consume;

import org.jspecify.annotations.Nullable;

/** Whether raw points that Kafka has are stored, as far as this TSD knows. */
public interface RawBacklog {
  /**
   * Why raw points that Kafka had at this time may not be stored yet; null if all are.
   *
   * @param millis milliseconds since the epoch
   */
  @Nullable String notStoredBefore(long millis);
}
