package io.tsdbsuite.rollup.message;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes the messages of a point as JSON in UTF-8, into a buffer that is used again and again.
 *
 * <p>Doubles are the shortest text that reads back as the same double; counts are integers. Not for
 * more than one thread.
 */
public abstract sealed class MessageEncoder permits AggregateEncoder, RollupEncoder {
  /** Schubfach, for Double.toString is not always the shortest before Java 19. */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .rootValueSeparator((SerializableString) null)
          .build();

  private static final SerializableString METRIC = new SerializedString("metric");
  private static final SerializableString TAGS = new SerializedString("tags");
  private static final SerializableString TIMESTAMP = new SerializedString("timestamp");
  private static final SerializableString INTERVAL = new SerializedString("interval");

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
   * An encoder of the lines of the JSON sink: the rollup message without type and version.
   *
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  public static MessageEncoder jsonLine(long asOf) {
    return new RollupEncoder(false, asOf);
  }

  /** How many messages a point makes. */
  public abstract int messages();

  /**
   * Encodes one message of a point.
   *
   * @param point a point with sorted tags and finite values
   * @param message which of its messages, 0 &lt;= message &lt; {@link #messages()}
   * @return the message, valid until the next call
   * @throws IllegalArgumentException if a value is not finite
   */
  public final ByteArrayOutputStream encode(RollupPoint point, int message) {
    if (!point.isFinite()) {
      throw new IllegalArgumentException("value is not a finite number: " + point);
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
