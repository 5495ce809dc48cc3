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

/** A reused buffer for one JSON object in UTF-8: {@link #start}, fields, {@link #end}. */
final class JsonBuffer {
  /** Schubfach: Double.toString is not always the shortest before Java 19. */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .rootValueSeparator((SerializableString) null)
          .build();

  private static final SerializableString METRIC = new SerializedString(FieldNames.METRIC);
  private static final SerializableString TAGS = new SerializedString(FieldNames.TAGS);

  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(512);
  private final JsonGenerator json;
  private final Latin1String name = new Latin1String();

  JsonBuffer() {
    try {
      json = FACTORY.createGenerator(buffer, JsonEncoding.UTF8);
    } catch (IOException e) {
      throw impossible(e);
    }
  }

  /** The unchecked exception for an error that a buffer in memory does not have. */
  static UncheckedIOException impossible(IOException e) {
    return new UncheckedIOException("writing to memory failed", e);
  }

  /** Empties the buffer and begins an object. */
  JsonGenerator start() throws IOException {
    buffer.reset();
    json.writeStartObject();
    return json;
  }

  /** Ends the object; the result is valid until the next {@link #start}. */
  ByteArrayOutputStream end() throws IOException {
    json.writeEndObject();
    json.flush();
    return buffer;
  }

  /** Writes metric and tags. */
  void writeSeries(RollupPoint point) throws IOException {
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
}
