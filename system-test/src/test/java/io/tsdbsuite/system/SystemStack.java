package io.tsdbsuite.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * HBase, Kafka and one TSD, with kafka-ingest's shaded jar, for every test of the module; they die
 * with the JVM. The TSD stores points and rollups, carries out requests for repairs, and publishes
 * the points that it gets by HTTP. Without {@link #createCoverage} it masks none, and answers
 * queries from raw data.
 */
final class SystemStack {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /** What a request waits for points on their way; 5 minutes unless it is set. */
  static final Duration REQUEUE_DELAY = Duration.ofSeconds(2);

  /** Of the rollups, narrowest first. */
  static final List<String> INTERVALS = List.of("1m", "10m", "1h", "1d");

  static final String DATA_TABLE = "tsdb";
  static final String UID_TABLE = "tsdb-uid";
  static final int PARTITIONS = 3;

  /** Topics; the groups of the TSD have the names of theirs. */
  static final String POINTS = "points";

  static final String PUBLISHED = "published";
  static final String ROLLUPS = "rollups";
  static final String REQUESTS = "requests";
  static final String WATERMARKS = "watermarks";
  static final String DEAD_LETTERS = "dead-letters";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Stack stack;
  private final TsdServer tsd;

  private static final class Holder {
    private static final SystemStack STACK = start();

    private static SystemStack start() {
      try {
        return new SystemStack();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private SystemStack() throws IOException {
    stack =
        Stack.in(directory("stack"))
            // Its output streams have hflush: an HBase that is killed loses nothing acknowledged.
            .hbase(Map.of("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem"))
            // The messages have the times of their points, which are long ago.
            .kafka(Map.of("log.retention.ms", "-1"))
            .start();
    topics().create(POINTS, PARTITIONS);
    topics().create(ROLLUPS, 2);
    for (String topic : List.of(PUBLISHED, REQUESTS, WATERMARKS, DEAD_LETTERS)) {
      topics().create(topic, 1);
    }
    tsd = startTsd("tsd", conf());
  }

  static SystemStack get() {
    return Holder.STACK;
  }

  static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    return Files.createTempDirectory(parent, name + "-");
  }

  static String table(String interval) {
    return "tsdb-rollup-" + interval;
  }

  private static Path rollupConfig() throws IOException {
    StringBuilder json =
        new StringBuilder("{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},")
            .append("\"suite\":{\"rollupMessage\":3},")
            .append("\"intervals\":[{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\",")
            .append("\"interval\":\"1s\",\"rowSpan\":\"1h\",\"defaultInterval\":true}");
    for (String interval : INTERVALS) {
      json.append(",{\"table\":\"")
          .append(table(interval))
          .append("\",\"preAggregationTable\":\"tsdb-rollup-agg-")
          .append(interval)
          .append("\",\"interval\":\"")
          .append(interval)
          .append("\",\"rowSpan\":\"")
          .append(interval.equals("1d") ? "1y" : "1d")
          .append("\"}");
    }
    return Files.writeString(
        directory("conf").resolve("rollup_config.json"), json.append("]}").toString());
  }

  private Map<String, String> conf() throws IOException {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig().toString());
    // Rewrites that change a value's width leave two cells for one instant.
    conf.put("tsd.storage.fix_duplicates", "true");
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put(
        "tsd.http.rpc.plugins",
        "io.tsdbsuite.ingest.KafkaIngestHttpPlugin,io.tsdbsuite.query.RollupQueryHttpPlugin");
    conf.put("tsd.rollup_query.coverage.seconds", "1");
    conf.put("tsd.rollup_query.shadow.one_in", "10");
    conf.put("tsd.rtpublisher.enable", "true");
    conf.put("tsd.rtpublisher.plugin", "io.tsdbsuite.ingest.KafkaPublisher");
    conf.put("KafkaRpcPlugin.publisher.topic", PUBLISHED);
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", kafka().bootstrapServers());
    conf.put("KafkaRpcPlugin.deadLetterTopic", DEAD_LETTERS);
    conf.put("KafkaRpcPlugin.requeueDelay", Long.toString(REQUEUE_DELAY.toMillis()));
    conf.put("KafkaRpcPlugin.repairTtl", "forever");
    conf.put("KafkaRpcPlugin.groups", String.join(",", POINTS, ROLLUPS, REQUESTS));
    for (String group : List.of(POINTS, ROLLUPS, REQUESTS)) {
      conf.put("KafkaRpcPlugin." + group + ".topics", group);
    }
    conf.put("KafkaRpcPlugin." + ROLLUPS + ".consumerType", "ROLLUP");
    conf.put("KafkaRpcPlugin." + REQUESTS + ".consumerType", "REPAIR");
    return conf;
  }

  /**
   * Makes the topics of one more TSD, {@code PREFIX-points}, {@code -rollups}, {@code -requests},
   * {@code -published}, and {@code -waiting} for the requests of its masks, which no group reads.
   *
   * @return its configuration: tables of its own, intervals 1h and 1d; it masks late points in
   *     {@code PREFIX-coverage}, by groups with the names of their topics
   */
  Map<String, String> maskingConf(String prefix) {
    for (String topic : List.of(POINTS, ROLLUPS, REQUESTS, PUBLISHED, "waiting")) {
      topics().create(prefix + "-" + topic, 1);
    }
    Map<String, String> conf = new TreeMap<>();
    for (String table : List.of("data", "uid", "tree", "meta")) {
      conf.put("tsd.storage.hbase." + table + "_table", prefix + "-" + table);
    }
    conf.put("tsd.rollups.enable", "true");
    conf.put(
        "tsd.rollups.config",
        ("{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
                + "{\"table\":\"PREFIX-data\",\"preAggregationTable\":\"PREFIX-data\","
                + "\"interval\":\"1s\",\"rowSpan\":\"1h\",\"defaultInterval\":true},"
                + "{\"table\":\"PREFIX-1h\",\"preAggregationTable\":\"PREFIX-agg\","
                + "\"interval\":\"1h\",\"rowSpan\":\"1d\"},"
                + "{\"table\":\"PREFIX-1d\",\"preAggregationTable\":\"PREFIX-agg\","
                + "\"interval\":\"1d\",\"rowSpan\":\"1y\"}]}")
            .replace("PREFIX", prefix));
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put(
        "tsd.http.rpc.plugins",
        "io.tsdbsuite.ingest.KafkaIngestHttpPlugin,io.tsdbsuite.query.RollupQueryHttpPlugin");
    conf.put("tsd.rtpublisher.enable", "true");
    conf.put("tsd.rtpublisher.plugin", "io.tsdbsuite.ingest.KafkaPublisher");
    conf.put("tsd.rollup_query.coverage.table", prefix + "-coverage");
    conf.put("tsd.rollup_query.coverage.seconds", "1");
    Map<String, String> ingest = new TreeMap<>();
    ingest.put("kafka.bootstrap.servers", kafka().bootstrapServers());
    ingest.put("publisher.topic", prefix + "-" + PUBLISHED);
    ingest.put("deadLetterTopic", DEAD_LETTERS);
    ingest.put("requeueDelay", "500");
    ingest.put("repairTtl", "forever");
    ingest.put("coverage.table", prefix + "-coverage");
    ingest.put("coverage.maxSeries", "10");
    ingest.put("coverage.requestTopic", prefix + "-waiting");
    List<String> groups = List.of(POINTS, ROLLUPS, REQUESTS);
    ingest.put("groups", prefix + "-" + String.join("," + prefix + "-", groups));
    for (String group : groups) {
      ingest.put(prefix + "-" + group + ".topics", prefix + "-" + group);
    }
    ingest.put(prefix + "-" + ROLLUPS + ".consumerType", "ROLLUP");
    ingest.put(prefix + "-" + REQUESTS + ".consumerType", "REPAIR");
    ingest.forEach((key, value) -> conf.put("KafkaRpcPlugin." + key, value));
    return conf;
  }

  /**
   * Makes the coverage table. The TSD starts anew, so that it knows the table from the start and
   * has forgotten the points from before.
   */
  void createCoverage() throws IOException {
    tsd.stop();
    stack.create(OpenTsdbTables.defaults().coverage("tsdb-coverage"));
    tsd.start();
  }

  HBaseServer hbase() {
    return stack.hbase();
  }

  KafkaServer kafka() {
    return stack.kafka();
  }

  KafkaTopics topics() {
    return stack.kafka().topics();
  }

  TsdServer tsd() {
    return tsd;
  }

  /** Starts a TSD with kafka-ingest, rollup-query and the codec of sketches on its class path. */
  TsdServer startTsd(String name, Map<String, String> conf) {
    List<Path> classPath = new ArrayList<>(TsdServer.sketchCodec());
    classPath.add(Path.of(System.getProperty("ingest.jar")));
    classPath.add(Path.of(System.getProperty("query.jar")));
    return stack.startTsd(name, conf, classPath);
  }

  /** What kafka-ingest tells of a group. */
  JsonNode status(String group) {
    for (JsonNode each : tsd.client().get("plugin/kafka-ingest/status").get("groups")) {
      if (each.get("group").asText().equals(group)) {
        return each;
      }
    }
    throw new AssertionError("no group " + group);
  }

  /** Waits until the TSD has stored, or refused, all that groups have in Kafka. */
  void awaitStored(String... groups) {
    for (String group : groups) {
      long messages = topics().endOffsets(group).values().stream().mapToLong(Long::longValue).sum();
      Await.until(
          messages + " messages of group " + group + " to be stored",
          PATIENCE,
          // Messages may count twice after a rebalance, but the committed offsets do not.
          () -> done(group) >= messages && topics().lag(group, group) == 0);
    }
  }

  private long done(String group) {
    JsonNode messages = status(group).get("messages");
    return messages.get("stored").asLong() + messages.get("deadLettered").asLong();
  }

  /** The messages of a topic. */
  List<JsonNode> read(String topic) {
    List<JsonNode> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : topics().readAll(topic)) {
      try {
        all.add(JSON.readTree(record.value()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return all;
  }

  /** The messages of a topic that are of a metric. */
  List<JsonNode> read(String topic, String metric) {
    return read(topic).stream()
        .filter(message -> message.get("metric").asText().equals(metric))
        .toList();
  }
}
