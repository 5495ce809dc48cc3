package io.tsdbsuite.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tsdbsuite.testkit.TsdServer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Through kafka-ingest: its consumer group is paused until the messages are in the topic. */
final class PluginWay implements Way {
  private final Servers servers;
  private final String name;
  private final String group;
  private final Iterable<ProducerRecord<byte[], byte[]>> messages;
  private final String limit;
  private long target;

  PluginWay(
      Servers servers,
      String name,
      String group,
      Iterable<ProducerRecord<byte[], byte[]>> messages) {
    this(servers, name, group, messages, Servers.NO_LIMIT);
  }

  /**
   * Creates a way with a rate limit: the messages arrive in time and not as a backlog.
   *
   * @param limit values per second
   */
  PluginWay(
      Servers servers,
      String name,
      String group,
      Iterable<ProducerRecord<byte[], byte[]>> messages,
      String limit) {
    this.limit = limit;
    this.servers = servers;
    this.name = name;
    this.group = group;
    this.messages = messages;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public TsdServer tsd() {
    return servers.suite();
  }

  @Override
  public void prepare() {
    target = stored() + servers.stack().kafka().topics().send(messages);
  }

  @Override
  public void start() {
    rate(limit);
  }

  @Override
  public boolean isDone() {
    return stored() >= target;
  }

  @Override
  public void stop() {
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
