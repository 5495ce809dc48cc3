package io.tsdbsuite.quickstart.stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.TsdClient;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The kafka-ingest plugin of a TSD: its configuration and its progress.
 *
 * @param tsd a TSD with the plugin
 * @param topics Kafka
 */
public record KafkaIngest(TsdClient tsd, KafkaTopics topics) {
  private static final String PREFIX = "KafkaRpcPlugin.";
  private static final String POINTS = "points";
  private static final String ROLLUPS = "rollups";
  private static final String REPAIRS = "repairs";

  /** Points per second that the plugin never reaches here. */
  private static final String NO_LIMIT = "1000000";

  /** Time that a request for rollups waits, milliseconds. */
  private static final String REQUEUE_MILLIS = "2000";

  private static final Duration STORED = Duration.ofMinutes(5);

  /**
   * The plugin's keys for opentsdb.conf: a group each for points, rollups and repairs.
   *
   * @param bootstrapServers addresses of Kafka
   */
  public static Map<String, String> configuration(String bootstrapServers) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestHttpPlugin");
    conf.put(PREFIX + "kafka.bootstrap.servers", bootstrapServers);
    conf.put(PREFIX + "groups", String.join(",", POINTS, ROLLUPS, REPAIRS));
    conf.put(PREFIX + POINTS + ".topics", Topics.POINTS);
    conf.put(PREFIX + POINTS + ".rate", NO_LIMIT);
    conf.put(PREFIX + ROLLUPS + ".topics", Topics.ROLLUPS + "," + Topics.STREAM_ROLLUPS);
    conf.put(PREFIX + ROLLUPS + ".consumerType", "ROLLUP");
    conf.put(PREFIX + ROLLUPS + ".rate", NO_LIMIT);
    conf.put(PREFIX + REPAIRS + ".topics", Topics.REQUESTS);
    conf.put(PREFIX + REPAIRS + ".consumerType", "REPAIR");
    conf.put(PREFIX + REPAIRS + ".threads", "1");
    conf.put(PREFIX + "repairTtl", "forever");
    conf.put(PREFIX + "requeueDelay", REQUEUE_MILLIS);
    conf.put(PREFIX + "deadLetterTopic", Topics.DEAD_LETTERS);
    return conf;
  }

  /** Waits until the points that are in Kafka now are stored. */
  public void awaitPoints() {
    await(POINTS, Topics.POINTS);
  }

  /** Waits until the rollups that are in Kafka now are stored. */
  public void awaitRollups() {
    await(ROLLUPS, Topics.ROLLUPS);
    await(ROLLUPS, Topics.STREAM_ROLLUPS);
  }

  /** Waits until the requests that are in Kafka now are carried out. */
  public void awaitRepairs() {
    await(REPAIRS, Topics.REQUESTS);
  }

  /**
   * Waits until all messages of a topic have their outcome: offsets are committed once HBase has
   * acknowledged.
   *
   * @throws io.tsdbsuite.testkit.ServerException when they have none within five minutes
   * @throws IllegalStateException when the plugin rejected a message
   */
  private void await(String group, String topic) {
    Map<Integer, Long> ends = topics.endOffsets(topic);
    Await.until(
        "topic " + topic + " to be stored by the plugin",
        STORED,
        () -> {
          Map<Integer, Long> stored = topics.committedOffsets(group, topic);
          return ends.entrySet().stream()
              .allMatch(end -> stored.getOrDefault(end.getKey(), 0L) >= end.getValue());
        });
    long refused = topics.endOffsets(Topics.DEAD_LETTERS).getOrDefault(0, 0L);
    if (refused > 0) {
      throw new IllegalStateException(
          "the plugin rejected " + refused + " messages, by reason: " + status(group));
    }
  }

  /** Values of rollups that this run of the TSD has stored. */
  public long storedRollupValues() {
    return status(ROLLUPS).path("points").path("stored").asLong();
  }

  private JsonNode status(String group) {
    for (JsonNode each : tsd.get("plugin/kafka-ingest/status").path("groups")) {
      if (each.path("group").asText().equals(group)) {
        return each;
      }
    }
    throw new IllegalStateException("the plugin must have group " + group);
  }
}
