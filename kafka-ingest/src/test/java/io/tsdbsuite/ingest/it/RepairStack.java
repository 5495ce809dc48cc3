package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.TsdServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A TSD with groups for points, rollups and requests, each with a topic of its own. */
final class RepairStack implements AutoCloseable {
  static final long DELAY_MILLIS = 1_500;

  /** Its tables are those of all tests of repairs, which have metrics of their own. */
  static final String ROLLUP_CONFIG =
      IngestStack.ROLLUP_CONFIG
          .replace("\"tsdb-rollup-", "\"repair-")
          .replace(
              "]}",
              ",{\"table\":\"repair-6h\",\"preAggregationTable\":\"repair-agg-6h\","
                  + "\"interval\":\"6h\",\"rowSpan\":\"1n\"}"
                  + ",{\"table\":\"repair-1d\",\"preAggregationTable\":\"repair-agg-1d\","
                  + "\"interval\":\"1d\",\"rowSpan\":\"1n\"}]}");

  /**
   * A configuration in which metrics {@code *.hist} have histograms of 1h and 1d. Those of 1h lie
   * in the table of pre-aggregates that a stock TSD reads, those of 1d in repair-hist-1d.
   */
  static String withHistograms(String config) {
    return config.replace(
        "\"intervals\":[{",
        "\"suite\":{\"histograms\":[{\"metrics\":\"*.hist\",\"intervals\":\"1h,1d\"}],"
            + "\"histogramTables\":{\"1h\":\"tsdb-preagg\",\"1d\":\"repair-hist-1d\"}},"
            + "\"intervals\":[{");
  }

  private final String name;
  private final KafkaTopics topics = IngestStack.get().kafka().topics();
  private final TsdServer tsd;
  private final Map<String, Long> sent = new HashMap<>();

  /** Starts the TSD; its topics and groups begin with its name. */
  RepairStack(String name, Map<String, String> extra) {
    this(name, extra, List.of(IngestStack.jar()));
  }

  /** Starts the TSD with these jars and directories of plugins, and the codec of sketches. */
  RepairStack(String name, Map<String, String> extra, List<Path> classPath) {
    this.name = name;
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.config", ROLLUP_CONFIG);
    conf.put("tsd.core.histograms.config", TsdServer.SKETCH_CONFIG);
    conf.put("KafkaRpcPlugin.deadLetterTopic", name + "-dead");
    conf.put("KafkaRpcPlugin.requeueDelay", Long.toString(DELAY_MILLIS));
    conf.put("KafkaRpcPlugin.repairTtl", "forever");
    topics.create(name + "-dead", 1);
    List<String> groups = new ArrayList<>();
    for (String kind : List.of("points", "rollups", "requests")) {
      groups.add(group(kind));
      topics.create(group(kind), 1);
      conf.put("KafkaRpcPlugin." + group(kind) + ".topics", group(kind));
    }
    conf.put("KafkaRpcPlugin.groups", String.join(",", groups));
    conf.put("KafkaRpcPlugin." + group("rollups") + ".consumerType", "ROLLUP");
    conf.put("KafkaRpcPlugin." + group("requests") + ".consumerType", "REPAIR");
    conf.putAll(extra);
    List<Path> withCodec = new ArrayList<>(TsdServer.sketchCodec());
    withCodec.addAll(classPath);
    tsd = IngestStack.get().startTsd(name, IngestStack.conf(conf), withCodec);
  }

  /** Name of the group and the topic of points, rollups or requests. */
  String group(String kind) {
    return name + "-" + kind;
  }

  String deadLetters() {
    return name + "-dead";
  }

  KafkaTopics topics() {
    return topics;
  }

  TsdServer tsd() {
    return tsd;
  }

  static String point(String metric, long timestamp, Object value) {
    return "{\"type\":\"Metric\",\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
        + timestamp
        + ",\"value\":"
        + value
        + "}";
  }

  /** A SimpleHistogram of two buckets. */
  static String histogram(String metric, long timestamp, int low, int high) {
    return point(metric, timestamp, 0)
        .replace("Metric", "Histogram")
        .replace("\"value\":0", "\"buckets\":{\"0,10\":" + low + ",\"10,100\":" + high + "}");
  }

  static String request(String metric, long hour, String... intervals) {
    return "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
        + hour
        + ",\"intervals\":[\""
        + String.join("\",\"", intervals)
        + "\"],\"reason\":\"late\"}";
  }

  static String rollup(String metric, String interval, long start, long asOf, double sum) {
    return "{\"type\":\"Rollup\",\"v\":1,\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
        + start
        + ",\"interval\":\""
        + interval
        + "\",\"asOf\":"
        + asOf
        + ",\"values\":{\"sum\":"
        + sum
        + ",\"min\":1.0,\"max\":1.0,\"count\":1}}";
  }

  /** Sends messages with the time of now. */
  void send(String kind, List<String> messages) {
    send(kind, null, messages);
  }

  /** Sends messages with this record time, milliseconds since the epoch. */
  void send(String kind, Long recordTime, List<String> messages) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String message : messages) {
      records.add(new ProducerRecord<>(group(kind), 0, recordTime, null, message.getBytes(UTF_8)));
    }
    sent.merge(kind, topics.send(records), Long::sum);
  }

  /** Waits until everything sent to a group has its outcome; answers the group's status. */
  JsonNode await(String kind) {
    return IngestStack.awaitCaughtUp(tsd, group(kind), sent.getOrDefault(kind, 0L));
  }

  /** Sends messages and waits for their outcome. */
  JsonNode store(String kind, String... messages) {
    send(kind, List.of(messages));
    return await(kind);
  }

  /** Sets the rate of a group, points or rows per second. */
  void rate(String kind, double rate) {
    tsd.client().post("plugin/kafka-ingest/rate?group=" + group(kind) + "&rate=" + rate, null);
  }

  JsonNode status(String kind) {
    return IngestStack.status(tsd.client(), group(kind));
  }

  @Override
  public void close() {
    tsd.stop();
  }
}
