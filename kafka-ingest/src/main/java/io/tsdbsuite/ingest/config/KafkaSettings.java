package io.tsdbsuite.ingest.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Converts {@code KafkaRpcPlugin.kafka.*} to the settings of consumers and producers. */
public final class KafkaSettings {
  private static final String BROKERS = ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG;

  /** Classes of AWS's library for MSK, which keep their names in the jar kafka-ingest-msk. */
  private static final String MSK_IAM = "software.amazon.msk.auth.iam.";

  /** Kafka's original package, in two parts: the shading of the jar rewrites the whole name. */
  private static final String ORIGINAL = "org.apache." + "kafka.".trim();

  /** The package that Kafka's classes have in the plugin's jar. */
  private static final String RELOCATED =
      Consumer.class.getName().replace("clients.consumer.Consumer", "");

  private KafkaSettings() {}

  /**
   * Replaces names of Kafka's classes in a setting, above all in JAAS settings: opentsdb.conf has
   * the original names.
   */
  static String relocate(String value) {
    return value.replace(ORIGINAL, RELOCATED);
  }

  /** Checks keys and values; {@code below} is the prefix of the keys in the problems. */
  static void check(Map<String, String> settings, Keys keys, String below) {
    Map<String, String> reserved = reserved();
    Map<String, String> allowed = new TreeMap<>();
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String key = setting.getKey();
      String reason = reserved.get(key);
      if (reason == null && (key.startsWith("zookeeper.") || key.startsWith("auto.commit."))) {
        reason = reserved.get("zookeeper.connect");
      }
      if (reason != null) {
        keys.problem(below + key, "must not be set: " + reason);
      } else if (!known(key)) {
        keys.problem(below + key, "is not a setting of Kafka's consumer or producer");
      } else {
        allowed.put(key, relocate(setting.getValue()));
      }
    }
    checkMskIam(allowed, keys, below);
    checkValues(allowed, keys, below);
  }

  /**
   * Takes out the settings for MSK's IAM when the library is missing, or is made for another Kafka.
   */
  private static void checkMskIam(Map<String, String> settings, Keys keys, String below) {
    List<String> named = new ArrayList<>();
    settings.forEach(
        (key, value) -> {
          if (value.equals("AWS_MSK_IAM") || value.contains(MSK_IAM)) {
            named.add(key);
          }
        });
    if (named.isEmpty()) {
      return;
    }
    String found;
    try {
      Class<?> handler =
          Class.forName(
              MSK_IAM + "IAMClientCallbackHandler", false, KafkaSettings.class.getClassLoader());
      if (AuthenticateCallbackHandler.class.isAssignableFrom(handler)) {
        return;
      }
      found = "a class for another Kafka client: " + handler.getProtectionDomain().getCodeSource();
    } catch (ClassNotFoundException | LinkageError e) {
      found = e.toString();
    }
    keys.problem(
        below + named.get(0),
        "needs kafka-ingest-msk-VERSION-tsd.jar on the TSD's class path, and no other jar of AWS's"
            + " library for MSK",
        found);
    settings.keySet().removeAll(named);
  }

  private static void checkValues(Map<String, String> settings, Keys keys, String below) {
    Set<String> reported = new HashSet<>();
    List<ConfigValue> checked = new ArrayList<>(ConsumerConfig.configDef().validate(settings));
    checked.addAll(ProducerConfig.configDef().validate(settings));
    for (ConfigValue value : checked) {
      String key = value.name();
      // Kafka also validates settings that are not set here.
      if (settings.containsKey(key) && !value.errorMessages().isEmpty() && reported.add(key)) {
        keys.problem(
            below + key, "is rejected by Kafka: " + value.errorMessages(), settings.get(key));
      }
    }
    String reset = settings.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
    if (reset != null && !reset.equals("earliest") && !reset.equals("latest")) {
      keys.problem(
          below + ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "must be earliest or latest", reset);
    }
  }

  static void requireBrokers(Map<String, String> settings, Keys keys) {
    String brokers = settings.get(BROKERS);
    if (brokers == null || brokers.isEmpty()) {
      keys.problem("kafka." + BROKERS, "must name brokers, as host:port");
    }
  }

  private static boolean known(String key) {
    return ConsumerConfig.configNames().contains(key)
        || ProducerConfig.configNames().contains(key)
        // Login modules and callback handlers read settings of their own.
        || key.startsWith("sasl.")
        || key.startsWith("ssl.");
  }

  private static Map<String, String> reserved() {
    Map<String, String> reserved = new HashMap<>();
    String zookeeper = "the ZooKeeper consumer no longer exists; set kafka." + BROKERS;
    reserved.put("zookeeper.connect", zookeeper);
    reserved.put("metadata.broker.list", "set kafka." + BROKERS);
    reserved.put("consumer.id", "set kafka.client.id");
    reserved.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "offsets wait for HBase");
    reserved.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, "messages are bytes");
    reserved.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, "messages are bytes");
    reserved.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "messages are bytes");
    reserved.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "messages are bytes");
    reserved.put(ProducerConfig.ACKS_CONFIG, "dead letters are sent with all");
    reserved.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "dead letters are sent with true");
    reserved.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "the plugin uses no transactions");
    return reserved;
  }

  /**
   * Settings of one consumer of a group.
   *
   * @param clientId name of the consumer in the brokers' logs and metrics
   */
  public static Map<String, Object> consumer(GroupConfig group, String clientId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group.name);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "2000");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "30000");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    // Kafka logs every reconnection: with unavailable brokers one line in seconds is enough.
    settings.put(ConsumerConfig.RECONNECT_BACKOFF_MS_CONFIG, "500");
    settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "5000");
    settings.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    copy(group.kafka, ConsumerConfig.configNames(), settings);
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId(group, clientId));
    String instance = group.kafka.get(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    if (instance != null) {
      // Each thread is a member of the group, and members of the same id fence each other.
      settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance + "-" + clientId);
    }
    // StartOffsets chooses the start position, and reports lost messages.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return settings;
  }

  /** Settings of the client that asks the brokers about the topics of a group. */
  public static Map<String, Object> admin(GroupConfig group, String clientId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, "500");
    settings.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "5000");
    copy(group.kafka, AdminClientConfig.configNames(), settings);
    // Each question has its own; one below request.timeout.ms is refused by this client only.
    settings.remove(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
    settings.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId(group, clientId));
    return settings;
  }

  private static String clientId(GroupConfig group, String clientId) {
    String given = group.kafka.get(ConsumerConfig.CLIENT_ID_CONFIG);
    return given == null ? clientId : given + "-" + clientId;
  }

  /** Whether the consumers of a group see only messages of committed transactions. */
  public static boolean readsCommitted(GroupConfig group) {
    return "read_committed"
        .equals(consumer(group, group.name).get(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
  }

  /** Settings of the producer of dead letters and requeued messages. */
  public static Map<String, Object> producer(Map<String, String> kafka, String clientId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    // A message from a compressed batch is larger here; the topic's limit decides.
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "33554432");
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
    copy(kafka, ProducerConfig.configNames(), settings);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return settings;
  }

  /** Settings of the producer of published points. */
  public static Map<String, Object> publisher(Map<String, String> kafka, String clientId) {
    Map<String, String> cheap = new HashMap<>();
    // Every point of a TSD passes here: gzip and many small requests would take more of its CPU.
    cheap.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    cheap.put(ProducerConfig.LINGER_MS_CONFIG, "100");
    cheap.putAll(kafka);
    return producer(cheap, clientId);
  }

  private static void copy(Map<String, String> from, Set<String> names, Map<String, Object> to) {
    Set<String> wanted = new HashSet<>(names);
    for (Map.Entry<String, String> setting : from.entrySet()) {
      String key = setting.getKey();
      if (wanted.contains(key) || key.startsWith("sasl.") || key.startsWith("ssl.")) {
        to.put(key, relocate(setting.getValue()));
      }
    }
  }
}
