package io.tsdbsuite.quickstart.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** TEMPORARY until kafka-ingest is there: reads the topic and posts to /api/rollup. */
public final class PutRollups implements RollupIngest {
  private final Stack stack;
  private final String topic;

  public PutRollups(Stack stack, String topic) {
    this.stack = stack;
    this.topic = topic;
  }

  @Override
  public void await(long messages) {
    ObjectMapper json = new ObjectMapper();
    ArrayNode body = json.createArrayNode();
    for (ConsumerRecord<byte[], byte[]> record : stack.kafka().readAll(topic)) {
      try {
        JsonNode message = json.readTree(record.value());
        message
            .path("values")
            .fields()
            .forEachRemaining(
                value -> {
                  ObjectNode node = body.addObject();
                  node.set("metric", message.get("metric"));
                  node.set("timestamp", message.get("timestamp"));
                  node.set("interval", message.get("interval"));
                  node.set("tags", message.get("tags"));
                  node.put("aggregator", value.getKey());
                  node.put("value", value.getValue().asText());
                });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (body.size() > 4000) {
        stack.tsd().client().post("api/rollup?details&sync", body);
        body.removeAll();
      }
    }
    stack.tsd().client().post("api/rollup?details&sync", body);
  }
}
