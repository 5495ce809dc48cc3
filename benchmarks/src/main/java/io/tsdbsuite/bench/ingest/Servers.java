package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.stock.StockWayPlugin;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * One HBase, one Kafka, and two TSDs that differ only in their plugin: each implementation has a
 * JVM whose compiler profiles only its code.
 */
final class Servers implements AutoCloseable {
  static final String ROLLUPS = "rollups";
  static final String RAW = "raw";
  static final String AGGREGATES = "aggregates";
  static final int PARTITIONS = 4;
  static final int THREADS = 2;

  /** A rate limit far above all measured rates. */
  static final String NO_LIMIT = "1000000000";

  /** The slf4j that Kafka's client needs in a TSD. */
  private static final Path STOCK_SLF4J = Path.of("target/stock/slf4j-api.jar");

  /** An interval of the hour, whose rollups are packed, too. */
  static final String PACKED = "60m";

  private static final String ROLLUP_CONFIG =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},"
          + "\"suite\":{\"packed\":{\"60m\":\"tsdb-packed-60m\"}},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-rollup-agg-1h\","
          + "\"interval\":\"1h\",\"rowSpan\":\"1d\"},"
          + "{\"table\":\"tsdb-rollup-60m\",\"preAggregationTable\":\"tsdb-rollup-agg-60m\","
          + "\"interval\":\"60m\",\"rowSpan\":\"1d\"}]}";

  /**
   * HBase's default: with the testkit's value, ten reports per second print the state of all
   * handlers.
   */
  private static final Map<String, String> HBASE = Map.of("hbase.regionserver.msginterval", "3000");

  /** What the servers are, for reports. */
  static final String VERSIONS = "HBase 2.6.4, Kafka 3.9.2, TSD 2.4.1 and the client";

  private static final String WORK = "bench-ingest";

  private final Stack stack;
  private final List<String> tables;
  private final TsdServer suite;
  private final TsdServer stock;

  /** Starts all servers, with one region per table. */
  Servers() throws IOException {
    OpenTsdbTables made = OpenTsdbTables.of(common());
    tables = made.names();
    stack = Stack.in(WorkDirs.fresh(WORK)).tables(made).hbase(HBASE).kafka().start();
    for (String topic : List.of(ROLLUPS, RAW, AGGREGATES)) {
      stack.kafka().topics().create(topic, PARTITIONS);
    }
    stack.kafka().topics().create("dead", 1);
    suite = stack.startTsd("suite", suiteConf(), List.of(Trial.jar("kafka-ingest", "tsd")));
    stock =
        stack.startTsd(
            "stock",
            stockConf(),
            List.of(jarOf(Servers.class), jarOf(KafkaConsumer.class), STOCK_SLF4J));
  }

  private static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, String> common() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", ROLLUP_CONFIG);
    conf.put("tsd.mode", "rw");
    // asynchbase's default; the testkit's value suits tests that wait for each point.
    conf.put("hbase.rpcs.buffered_flush_interval", "1000");
    return conf;
  }

  private Map<String, String> suiteConf() {
    Map<String, String> conf = common();
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestHttpPlugin");
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", stack.kafka().bootstrapServers());
    conf.put("KafkaRpcPlugin.groups", ROLLUPS + "," + RAW);
    conf.put("KafkaRpcPlugin.deadLetterTopic", "dead");
    for (String group : List.of(ROLLUPS, RAW)) {
      conf.put("KafkaRpcPlugin." + group + ".topics", group);
      conf.put("KafkaRpcPlugin." + group + ".threads", Integer.toString(THREADS));
      conf.put("KafkaRpcPlugin." + group + ".rate", "0");
    }
    return conf;
  }

  private Map<String, String> stockConf() {
    Map<String, String> conf = common();
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.bench.stock.StockWayPlugin");
    conf.put(StockWayPlugin.BROKERS, stack.kafka().bootstrapServers());
    conf.put(StockWayPlugin.TOPIC, AGGREGATES);
    conf.put(StockWayPlugin.THREADS, Integer.toString(THREADS));
    conf.put(StockWayPlugin.RATE, NO_LIMIT);
    return conf;
  }

  /** The TSD with kafka-ingest. */
  TsdServer suite() {
    return suite;
  }

  /** The TSD with the stock plugin; it also receives the HTTP puts. */
  TsdServer stock() {
    return stock;
  }

  Stack stack() {
    return stack;
  }

  /** Flushes HBase's memstores, so that all rounds start with the same state. */
  void flush() throws IOException {
    for (String table : tables) {
      stack.hbase().flush(table);
    }
  }

  @Override
  public void close() {
    stack.close();
    WorkDirs.fresh(WORK);
  }
}
