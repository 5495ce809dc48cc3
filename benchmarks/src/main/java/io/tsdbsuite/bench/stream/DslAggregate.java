package io.tsdbsuite.bench.stream;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/** Sum, minimum, maximum and count of one window. */
record DslAggregate(double sum, double min, double max, long count) {
  private static final int BYTES = 32;

  /** Of no point. */
  static DslAggregate empty() {
    return new DslAggregate(0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0);
  }

  /** With one more point. */
  DslAggregate add(double value) {
    return new DslAggregate(sum + value, Math.min(min, value), Math.max(max, value), count + 1);
  }

  /** 32 bytes: less than JSON, which is more usual. */
  static Serde<DslAggregate> serde() {
    return Serdes.serdeFrom(
        (topic, aggregate) -> aggregate == null ? null : aggregate.bytes(),
        (topic, bytes) -> bytes == null ? null : of(ByteBuffer.wrap(bytes)));
  }

  private byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .putDouble(sum)
        .putDouble(min)
        .putDouble(max)
        .putLong(count)
        .array();
  }

  private static DslAggregate of(ByteBuffer bytes) {
    return new DslAggregate(
        bytes.getDouble(), bytes.getDouble(), bytes.getDouble(), bytes.getLong());
  }
}
