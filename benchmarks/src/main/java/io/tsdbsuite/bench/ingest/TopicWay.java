package io.tsdbsuite.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tsdbsuite.testkit.TsdServer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Through consumers in a TSD, which are held until the messages are in the topic. */
final class TopicWay extends StoreWay {
  private final Iterable<ProducerRecord<byte[], byte[]>> messages;
  private final LongSupplier stored;
  private final Consumer<Boolean> open;
  private long target;

  private TopicWay(
      Servers servers,
      TsdServer tsd,
      String name,
      Iterable<ProducerRecord<byte[], byte[]>> messages,
      LongSupplier stored,
      Consumer<Boolean> open) {
    super(servers, tsd, name);
    this.messages = messages;
    this.stored = stored;
    this.open = open;
  }

  /** Through a consumer group of kafka-ingest. */
  static TopicWay suite(
      Servers servers,
      String name,
      String group,
      Iterable<ProducerRecord<byte[], byte[]>> messages) {
    TsdServer tsd = servers.suite();
    String rate = "plugin/kafka-ingest/rate?group=" + group + "&rate=";
    return new TopicWay(
        servers,
        tsd,
        name,
        messages,
        () -> storedByGroup(tsd, group),
        opened ->
            tsd.client().post(rate + (opened ? Servers.NO_LIMIT : "0"), NullNode.getInstance()));
  }

  private static long storedByGroup(TsdServer tsd, String group) {
    for (JsonNode status : tsd.client().get("plugin/kafka-ingest/status").path("groups")) {
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

  /** Through the stock plugin: four messages per point, and one addAggregatePoint per message. */
  static TopicWay stock(
      Servers servers, String name, Iterable<ProducerRecord<byte[], byte[]>> messages) {
    TsdServer tsd = servers.stock();
    return new TopicWay(
        servers,
        tsd,
        name,
        messages,
        () -> storedByStock(tsd),
        opened -> tsd.client().get("plugin/stock?open=" + opened));
  }

  private static long storedByStock(TsdServer tsd) {
    JsonNode counts = tsd.client().get("plugin/stock");
    if (counts.path("failed").asLong() > 0) {
      throw new IllegalStateException("the stock way failed: " + counts);
    }
    return counts.path("stored").asLong();
  }

  @Override
  void prepare() {
    target = stored.getAsLong() + servers().stack().kafka().topics().send(messages);
  }

  @Override
  void start() {
    open.accept(true);
  }

  @Override
  boolean isDone() {
    return stored.getAsLong() >= target;
  }

  @Override
  void stop() {
    open.accept(false);
  }
}
