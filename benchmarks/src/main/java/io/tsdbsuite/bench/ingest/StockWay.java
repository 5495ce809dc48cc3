package io.tsdbsuite.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The stock plugin: four messages per point, and one addAggregatePoint per message. */
final class StockWay extends StoreWay {
  private final Iterable<ProducerRecord<byte[], byte[]>> messages;
  private long target;

  StockWay(Servers servers, String name, Iterable<ProducerRecord<byte[], byte[]>> messages) {
    super(servers, servers.stock(), name);
    this.messages = messages;
  }

  @Override
  void prepare() {
    target = stored("") + servers().stack().kafka().topics().send(messages);
  }

  @Override
  void start() {
    long unused = stored("?open=true");
  }

  @Override
  boolean isDone() {
    return stored("") >= target;
  }

  @Override
  void stop() {
    long unused = stored("?open=false");
  }

  private long stored(String query) {
    JsonNode counts = tsd().client().get("plugin/stock" + query);
    if (counts.path("failed").asLong() > 0) {
      throw new IllegalStateException("the stock way failed: " + counts);
    }
    return counts.path("stored").asLong();
  }
}
