package io.tsdbsuite.ingest.publish;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import io.tsdbsuite.message.Origin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;

/**
 * Encodes raw points as {@code Metric} messages. Thread-safe.
 *
 * <p>kafka-ingest stores the value of the message with the type and the width that the TSD has
 * stored: an integer on the fewest bytes; a floating-point number on 4 bytes if these hold it,
 * except with {@link Origin#HTTP}. Works with Jackson 2.9, which a TSD has.
 */
final class MetricJson {
  private static final int BYTES = 256;

  private final JsonFactory factory = new JsonFactory();

  /** The message of an integer. */
  byte[] encode(String metric, long timestamp, Map<String, String> tags, long value)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(BYTES);
    try (JsonGenerator json = factory.createGenerator(out)) {
      start(json, metric, timestamp, tags);
      json.writeNumberField(FieldNames.VALUE, value);
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  /**
   * The message of a floating-point number.
   *
   * @param value a finite number; its text is never that of an integer
   * @param isWide whether the TSD stores it on 8 bytes although 4 hold it
   */
  byte[] encode(
      String metric, long timestamp, Map<String, String> tags, double value, boolean isWide)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(BYTES);
    try (JsonGenerator json = factory.createGenerator(out)) {
      start(json, metric, timestamp, tags);
      json.writeNumberField(FieldNames.VALUE, value);
      if (isWide) {
        json.writeStringField(FieldNames.TSD_ORIGIN, Origin.HTTP.code());
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void start(
      JsonGenerator json, String metric, long timestamp, Map<String, String> tags)
      throws IOException {
    json.writeStartObject();
    json.writeStringField(FieldNames.TYPE, MessageTypes.METRIC);
    json.writeStringField(FieldNames.METRIC, metric);
    json.writeObjectFieldStart(FieldNames.TAGS);
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      json.writeStringField(tag.getKey(), tag.getValue());
    }
    json.writeEndObject();
    json.writeNumberField(FieldNames.TIMESTAMP, timestamp);
  }
}
