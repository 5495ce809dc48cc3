package io.tsdbsuite.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Through kafka-ingest: its consumer group is paused until the messages are in the topic. */
final class PluginWay extends StoreWay {
  private final String group;
  private final Iterable<ProducerRecord<byte[], byte[]>> messages;
  private long target;

  PluginWay(
      Servers servers,
      String name,
      String group,
      Iterable<ProducerRecord<byte[], byte[]>> messages) {
    super(servers, servers.suite(), name);
    this.group = group;
    this.messages = messages;
  }

  @Override
  void prepare() {
    target = stored() + servers().stack().kafka().topics().send(messages);
  }

  @Override
  void start() {
    rate(Servers.NO_LIMIT);
  }

  @Override
  boolean isDone() {
    return stored() >= target;
  }

  @Override
  void stop() {
    rate("0");
  }

  private void rate(String rate) {
    tsd()
        .client()
        .post("plugin/kafka-ingest/rate?group=" + group + "&rate=" + rate, NullNode.getInstance());
  }

  private long stored() {
    for (JsonNode status : tsd().client().get("plugin/kafka-ingest/status").path("groups")) {
      if (status.path("group").asText().equals(group)) {
        JsonNode counts = status.path("messages");
        if (counts.path("deadLettered").asLong() + counts.path("replayed").asLong() > 0) {
          throw new IllegalStateException("not all was stored at once: " + status);
        }
        return counts.path("stored").asLong();
      }
    }
    throw new IllegalStateException("no group " + group);
  }
}
