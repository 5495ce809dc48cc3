package io.tsdbsuite.ingest.config;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of one consumer group, {@code KafkaRpcPlugin.<group>.*}: the constructor has the
 * name, the rule and the default of each key. Immutable.
 */
public final class GroupConfig {
  /** The rule of {@link #parseRate}, for messages. */
  public static final String RATE_RULE =
      "must be points per second, 0 (which stops the group) or from 1 to 1000000000";

  private static final double MAX_RATE = 1e9;

  /** The name in the configuration, and the {@code group.id} unless that is set. */
  public final String name;

  /** Type of the group. */
  public final ConsumerType type;

  /** Topics that the group reads, at least one; unmodifiable. */
  public final List<String> topics;

  /** Number of consumers, each with a polling and a writing thread; at least 1. */
  public final int threads;

  /** Initial rate in points per second, for all threads of this TSD; 0 stops the group. */
  public final double rate;

  /** Maximum of points in flight to HBase, for all threads of this TSD. */
  public final int maxInFlight;

  /** Maximum lag of a partition while the TSD is ready, messages. */
  public final long readyLag;

  /** Time a partition with unread messages may stall while the TSD is ready, milliseconds. */
  public final long stallMillis;

  /** Minimum delay between the requeueing of a message and its next attempt, milliseconds. */
  public final long requeueDelayMillis;

  /**
   * Attempts through the requeue topic after which a message becomes a dead letter. Without that
   * topic, attempts of a message that fails in the TSD's own code.
   */
  public final int maxRequeues;

  /** Topic for messages that can never be stored. */
  public final String deadLetterTopic;

  /** Topic for messages that HBase rejects; null if they are retried until they are stored. */
  public final @Nullable String requeueTopic;

  /** What is the same for all groups. */
  public final IngestConfig ingest;

  /** Settings of Kafka's clients, including those for all groups; unmodifiable. */
  public final Map<String, String> kafka;

  /**
   * Reads the keys of a group.
   *
   * @param ingest has the defaults of all groups; its groups are not read yet
   * @param ownKafka settings of Kafka's clients for this group
   */
  GroupConfig(String name, Keys keys, IngestConfig ingest, Map<String, String> ownKafka) {
    this.name = name;
    this.ingest = ingest;
    topics = Collections.unmodifiableList(keys.takeList("topics"));
    if (topics.isEmpty()) {
      keys.problem("topics", "must name at least one topic");
    }
    type = type(keys);
    boolean repairs = type == ConsumerType.REPAIR;
    // Of requests rows per second: queries of the TSDs read the same region servers.
    rate = rate(keys, repairs ? 500 : 70_000);
    checkDeserializer(keys);
    threads = keys.takeInt("threads", 1, 1024, 2);
    // Of requests rows. A request is in flight until its puts are sent, for about a second.
    maxInFlight = keys.takeInt("maxInFlight", 1, Integer.MAX_VALUE, repairs ? 1_000 : 100_000);
    readyLag = keys.takeLong("readyLag", 0, Long.MAX_VALUE, ingest.readyLag);
    stallMillis = keys.takeLong("stallTimeout", 1000, Long.MAX_VALUE, ingest.stallMillis);
    requeueDelayMillis =
        keys.takeLong("requeueDelay", 0, Long.MAX_VALUE, ingest.requeueDelayMillis);
    maxRequeues = keys.takeInt("maxRequeues", 1, 1_000_000, 10);
    deadLetterTopic = deadLetterTopic(keys, ingest.deadLetterTopic);
    requeueTopic = requeueTopic(keys);
    Map<String, String> settings = new TreeMap<>(ingest.kafka);
    settings.putAll(ownKafka);
    kafka = Collections.unmodifiableMap(settings);
    keys.refuseRest(Collections.emptyMap());
  }

  private static ConsumerType type(Keys keys) {
    String value = keys.take("consumerType");
    try {
      return value == null
          ? ConsumerType.RAW
          : ConsumerType.valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      keys.problem(
          "consumerType", "must be RAW, ROLLUP, REQUEUE_RAW, REQUEUE_ROLLUP or REPAIR", value);
      return ConsumerType.RAW;
    }
  }

  private static double rate(Keys keys, double orElse) {
    String value = keys.take("rate");
    try {
      return value == null ? orElse : parseRate(value);
    } catch (IllegalArgumentException e) {
      keys.problem("rate", RATE_RULE, value);
      return orElse;
    }
  }

  /**
   * Parses a rate.
   *
   * @return 0, or 1 to 1e9 points per second
   * @throws IllegalArgumentException when the text breaks {@link #RATE_RULE}
   */
  public static double parseRate(String text) {
    double rate = Double.parseDouble(text);
    if (rate == 0 || (rate >= 1 && rate <= MAX_RATE)) {
      return rate;
    }
    throw new IllegalArgumentException(RATE_RULE);
  }

  private static void checkDeserializer(Keys keys) {
    String value = keys.take("deserializer");
    // Configurations of opentsdb-rpc-kafka name a class with this suffix; only JSON is supported.
    if (value != null && !value.endsWith("JSONDeserializer")) {
      keys.problem("deserializer", "may be left out, or be a JSONDeserializer", value);
    }
  }

  private String deadLetterTopic(Keys keys, @Nullable String ofAll) {
    String own = keys.take("deadLetterTopic");
    String topic = own == null ? ofAll : own;
    if (topic == null) {
      keys.problem("deadLetterTopic", "must be set, here or for all groups");
      return "";
    }
    if (topics.contains(topic)) {
      keys.problem("deadLetterTopic", "must not be a topic that the group reads", topic);
    }
    return topic;
  }

  private @Nullable String requeueTopic(Keys keys) {
    String topic = keys.take("requeueTopic");
    if (topic == null && type.delayed() && !topics.isEmpty()) {
      return topics.get(0);
    }
    if (topic != null && !type.delayed() && topics.contains(topic)) {
      keys.problem(
          "requeueTopic", "must not be a topic that the group itself reads at once", topic);
    }
    return topic;
  }
}
