package io.tsdbsuite.ingest.config;

import io.tsdbsuite.message.read.MessageLimits;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the keys of one group. */
final class GroupReader {
  static final double DEFAULT_RATE = 70000;
  private static final int DEFAULT_IN_FLIGHT = 100_000;

  /** Rows per second: queries of the TSDs read the same region servers. */
  static final double DEFAULT_REPAIR_RATE = 500;

  /** Rows. A request is in flight until its puts are sent, for about a second. */
  private static final int DEFAULT_REPAIR_IN_FLIGHT = 1_000;

  private static final int DEFAULT_REQUEUES = 10;

  final String name;
  ConsumerType type = ConsumerType.RAW;
  List<String> topics = Collections.emptyList();
  int threads;
  double rate = DEFAULT_RATE;
  int maxInFlight;
  long readyLag;
  long stallMillis;
  String deadLetterTopic = "";
  @Nullable String requeueTopic;
  long requeueDelayMillis;
  int maxRequeues;
  MessageLimits messageLimits = MessageLimits.DEFAULT;
  long drainMillis;
  long ackTimeoutMillis;
  Map<String, String> kafka = Collections.emptyMap();

  GroupReader(String name) {
    this.name = name;
  }

  GroupConfig read(Keys keys, GroupDefaults defaults, Map<String, String> ownKafka) {
    topics = Collections.unmodifiableList(keys.takeList("topics"));
    if (topics.isEmpty()) {
      keys.problem("topics", "must name at least one topic");
    }
    readType(keys);
    boolean repairs = type == ConsumerType.REPAIR;
    rate = repairs ? DEFAULT_REPAIR_RATE : DEFAULT_RATE;
    readRate(keys);
    readDeserializer(keys);
    threads = (int) keys.takeLong("threads", 1, 1024, 2);
    int inFlight = repairs ? DEFAULT_REPAIR_IN_FLIGHT : DEFAULT_IN_FLIGHT;
    maxInFlight = (int) keys.takeLong("maxInFlight", 1, Integer.MAX_VALUE, inFlight);
    readyLag = keys.takeLong("readyLag", 0, Long.MAX_VALUE, defaults.readyLag);
    stallMillis = keys.takeLong("stallTimeout", 1000, Long.MAX_VALUE, defaults.stallMillis);
    requeueDelayMillis =
        keys.takeLong("requeueDelay", 0, Long.MAX_VALUE, defaults.requeueDelayMillis);
    maxRequeues = (int) keys.takeLong("maxRequeues", 1, 1_000_000, DEFAULT_REQUEUES);
    readSideTopics(keys, defaults);
    messageLimits = defaults.messageLimits;
    drainMillis = defaults.drainMillis;
    ackTimeoutMillis = defaults.ackTimeoutMillis;
    TreeMap<String, String> all = new TreeMap<>(defaults.kafka);
    all.putAll(ownKafka);
    kafka = Collections.unmodifiableMap(all);
    keys.refuseRest(Collections.emptyMap());
    return new GroupConfig(this);
  }

  private void readType(Keys keys) {
    String value = keys.take("consumerType");
    if (value == null) {
      return;
    }
    try {
      type = ConsumerType.valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      keys.problem(
          "consumerType", "must be RAW, ROLLUP, REQUEUE_RAW, REQUEUE_ROLLUP or REPAIR", value);
    }
  }

  private void readRate(Keys keys) {
    String value = keys.take("rate");
    if (value == null) {
      return;
    }
    try {
      rate = PointsPerSecond.parse(value);
    } catch (IllegalArgumentException e) {
      keys.problem("rate", PointsPerSecond.RULE, value);
    }
  }

  private void readDeserializer(Keys keys) {
    String value = keys.take("deserializer");
    // Configurations of opentsdb-rpc-kafka name a class with this suffix; only JSON is supported.
    if (value != null && !value.endsWith("JSONDeserializer")) {
      keys.problem("deserializer", "may be left out, or be a JSONDeserializer", value);
    }
  }

  private void readSideTopics(Keys keys, GroupDefaults defaults) {
    String own = keys.take("deadLetterTopic");
    String topic = own == null ? defaults.deadLetterTopic : own;
    if (topic == null) {
      keys.problem("deadLetterTopic", "must be set, here or for all groups");
    } else {
      deadLetterTopic = topic;
      if (topics.contains(topic)) {
        keys.problem("deadLetterTopic", "must not be a topic that the group reads", topic);
      }
    }
    requeueTopic = keys.take("requeueTopic");
    if (requeueTopic == null && type.delayed() && !topics.isEmpty()) {
      requeueTopic = topics.get(0);
    } else if (requeueTopic != null && !type.delayed() && topics.contains(requeueTopic)) {
      keys.problem(
          "requeueTopic", "must not be a topic that the group itself reads at once", requeueTopic);
    }
  }
}
