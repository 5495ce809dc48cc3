package io.tsdbsuite.bench.stream;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * A Metric message as Jackson binds it.
 *
 * @param timestamp seconds since the epoch
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record DslPoint(String metric, Map<String, String> tags, long timestamp, double value) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** JSON. */
  static Serde<DslPoint> serde() {
    return Serdes.serdeFrom(
        (topic, point) -> {
          throw new UnsupportedOperationException("points are only read");
        },
        (topic, bytes) -> read(bytes));
  }

  private static DslPoint read(byte[] bytes) {
    try {
      return JSON.readValue(bytes, DslPoint.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
