package io.tsdbsuite.ingest.consume;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Limits the bytes of the values that one poll returns: a fetched batch of a megabyte may have a
 * gigabyte of records. For the polling thread.
 *
 * <p>Kafka's consumer decompresses and deserializes record by record. If a record throws, it
 * returns those before it, and offers that record again in the next poll.
 */
final class PolledValues extends ByteArrayDeserializer {
  /** At least; of a large heap more. */
  private static final long MIN_BYTES = 64L << 20;

  private static final int HEAP_SHARE = 32;

  private final long maxBytes;
  private long bytes;

  PolledValues() {
    this(Math.max(MIN_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /** Creates one with a maximum of bytes; a larger value is returned alone. */
  PolledValues(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Must be called before each poll. */
  void nextPoll() {
    bytes = 0;
  }

  @Override
  public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
    int size = data.remaining();
    // Without a record before it the poll would fail.
    if (bytes > 0 && bytes + size > maxBytes) {
      throw new SerializationException(toString());
    }
    bytes += size;
    return super.deserialize(topic, headers, data);
  }

  /** Kafka's client logs it as an error, once or twice for each such poll. */
  @Override
  public String toString() {
    return "no error: a poll returns at most " + maxBytes + " bytes, the next one the rest";
  }
}
