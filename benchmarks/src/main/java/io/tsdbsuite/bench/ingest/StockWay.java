package io.tsdbsuite.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.TsdServer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The stock plugin: four messages per point, and one addAggregatePoint per message. */
final class StockWay implements Way {
  private final Servers servers;
  private final String name;
  private final Iterable<ProducerRecord<byte[], byte[]>> messages;
  private long target;

  StockWay(Servers servers, String name, Iterable<ProducerRecord<byte[], byte[]>> messages) {
    this.servers = servers;
    this.name = name;
    this.messages = messages;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public TsdServer tsd() {
    return servers.stock();
  }

  @Override
  public void prepare() {
    target = stored("") + servers.stack().kafka().topics().send(messages);
  }

  @Override
  public void start() {
    long unused = stored("?open=true");
  }

  @Override
  public boolean isDone() {
    return stored("") >= target;
  }

  @Override
  public void stop() {
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
