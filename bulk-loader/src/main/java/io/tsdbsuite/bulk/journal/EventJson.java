package io.tsdbsuite.bulk.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.report.TallyJson;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Events as JSON, with the fields of the records.
 *
 * <pre>
 *   {"n":7,"event":"RowsAcknowledged","range":2,"lastKey":"00012f...","tally":{...},"done":false}
 * </pre>
 */
final class EventJson {
  private static final String NUMBER = "n";
  private static final String EVENT = "event";
  private static final ObjectMapper MAPPER = mapper();
  private static final Map<String, Class<?>> EVENTS =
      Arrays.stream(JournalEvent.class.getPermittedSubclasses())
          .collect(Collectors.toMap(Class::getSimpleName, type -> type));

  private EventJson() {}

  /** An event with its number in the journal. */
  record Numbered(long number, JournalEvent event) {}

  static byte[] write(long number, JournalEvent event) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put(NUMBER, number);
    node.put(EVENT, event.name());
    ObjectNode fields = MAPPER.valueToTree(event);
    node.setAll(fields);
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }

  /**
   * @throws IOException when the JSON is not an event
   */
  static Numbered read(byte[] json, int off, int len) throws IOException {
    JsonNode tree = MAPPER.readTree(json, off, len);
    if (!(tree instanceof ObjectNode node)) {
      throw new IOException("an event must be a JSON object");
    }
    JsonNode number = node.remove(NUMBER);
    JsonNode name = node.remove(EVENT);
    Class<?> type = name == null ? null : EVENTS.get(name.textValue());
    if (number == null || !number.isIntegralNumber() || type == null) {
      throw new IOException("an event must have a number and a known name, found " + name);
    }
    try {
      return new Numbered(number.longValue(), (JournalEvent) MAPPER.treeToValue(node, type));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static ObjectMapper mapper() {
    SimpleModule module = new SimpleModule();
    module.addSerializer(byte[].class, new HexWriter());
    module.addDeserializer(byte[].class, new HexReader());
    module.addSerializer(Tally.class, new TallyWriter());
    module.addDeserializer(Tally.class, new TallyReader());
    return new ObjectMapper()
        .registerModule(module)
        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);
  }

  private static final class HexWriter extends JsonSerializer<byte[]> {
    @Override
    public void serialize(byte[] key, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(HexFormat.of().formatHex(key));
    }
  }

  private static final class HexReader extends JsonDeserializer<byte[]> {
    @Override
    public byte[] deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return HexFormat.of().parseHex(in.getText());
    }
  }

  private static final class TallyWriter extends JsonSerializer<Tally> {
    @Override
    public void serialize(Tally tally, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeTree(TallyJson.write(tally));
    }
  }

  private static final class TallyReader extends JsonDeserializer<Tally> {
    @Override
    public Tally deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return TallyJson.read(in.readValueAsTree());
    }
  }
}
