package io.tsdbsuite.message.write;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.SerializedString;
import io.tsdbsuite.message.FieldNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes the messages of a point as JSON in UTF-8 into a reused buffer. Not thread-safe.
 *
 * <p>A double is written as the shortest text that parses to the same double, a count as an
 * integer.
 */
public abstract class MessageEncoder {
  /** Schubfach: Double.toString is not always the shortest before Java 19. */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .rootValueSeparator((SerializableString) null)
          .build();

  private static final SerializableString METRIC = new SerializedString(FieldNames.METRIC);
  private static final SerializableString TAGS = new SerializedString(FieldNames.TAGS);
  private static final SerializableString TIMESTAMP = new SerializedString(FieldNames.TIMESTAMP);
  private static final SerializableString INTERVAL = new SerializedString(FieldNames.INTERVAL);

  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(512);
  private final JsonGenerator json;
  private final Latin1String name = new Latin1String();

  MessageEncoder() {
    try {
      json = FACTORY.createGenerator(buffer, JsonEncoding.UTF8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Creates an encoder for JSON lines: the rollup message without type and version.
   *
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  public static MessageEncoder jsonLine(long asOf) {
    return new RollupEncoder(false, asOf);
  }

  /** Number of messages of one point. */
  public abstract int messages();

  /**
   * Encodes one message of a point.
   *
   * @param point a point with sorted tags and finite values
   * @param message index of the message, 0 &lt;= message &lt; {@link #messages()}
   * @return the message, valid until the next call
   * @throws IllegalArgumentException when a value is not finite, or an aggregate message would have
   *     to delete a rollup
   */
  public final ByteArrayOutputStream encode(RollupPoint point, int message) {
    if (!point.isFinite()) {
      throw new IllegalArgumentException("value is not a finite number: " + point);
    }
    if (point.isTakenBack() && !canDelete()) {
      throw new IllegalArgumentException("this format cannot delete a rollup: " + point);
    }
    buffer.reset();
    try {
      json.writeStartObject();
      write(json, point, message);
      json.writeEndObject();
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return buffer;
  }

  /** Whether the format has a message that deletes a rollup. */
  abstract boolean canDelete();

  /** Writes the fields of a message. */
  abstract void write(JsonGenerator json, RollupPoint point, int message) throws IOException;

  /** Writes metric and tags. */
  final void writeSeries(RollupPoint point) throws IOException {
    json.writeFieldName(METRIC);
    json.writeString(name.of(point.metric()));
    json.writeFieldName(TAGS);
    json.writeStartObject();
    for (int i = 0, tags = point.tags(); i < tags; i++) {
      json.writeFieldName(name.of(point.tagKey(i)));
      json.writeString(name.of(point.tagValue(i)));
    }
    json.writeEndObject();
  }

  /** Writes timestamp and interval. */
  final void writeTime(RollupPoint point) throws IOException {
    json.writeFieldName(TIMESTAMP);
    json.writeNumber(point.timestamp());
    json.writeFieldName(INTERVAL);
    json.writeString(point.interval());
  }
}
