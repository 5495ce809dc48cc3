package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.MessageFormat;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Kafka options of the user.
 *
 * @param bootstrap host:port of some brokers, comma-separated
 * @param topic an existing topic
 * @param properties of the producer, which override the job's unless refused
 * @param spread partitions for each metric, for {@link PartitionBy#METRIC}; at least 1
 * @param rollupsPerMessage maximum of rollups in one message, 1 to {@link
 *     #MAX_ROLLUPS_PER_MESSAGE}; more than 1 only for {@link MessageFormat#ROLLUP}, and then
 *     several rollups of a series are one array
 * @param arrays whether several rollups in a message become objects of version 3
 * @param messagesPerSecond limit for all tasks of the job together; 0 = unlimited
 */
public record KafkaSinkOptions(
    String bootstrap,
    String topic,
    SortedMap<String, String> properties,
    MessageFormat format,
    PartitionBy partitionBy,
    int spread,
    int rollupsPerMessage,
    boolean arrays,
    double messagesPerSecond)
    implements Serializable {

  /** Properties set by the job, each with the reason for the error message. */
  private static final Map<String, String> REFUSED =
      Map.of(
          ProducerConfig.ACKS_CONFIG,
          "the job always waits for all replicas (acks=all); less could lose messages",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          "the job always uses an idempotent producer; without it, retries could duplicate or"
              + " reorder messages",
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          "the job uses no transactions; running it again overwrites",
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          "use --kafka-bootstrap",
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          "the job writes the bytes of keys itself",
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          "the job writes the bytes of messages itself",
          ProducerConfig.PARTITIONER_CLASS_CONFIG,
          "all messages of a series must reach one partition; --partition-by chooses how",
          ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
          "all messages of a series must reach one partition");

  /** Properties that load classes, which may have settings of their own. */
  private static final Set<String> PLUGINS =
      Set.of(
          ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
          ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG,
          "security.providers",
          "ssl.engine.factory.class",
          "sasl.client.callback.handler.class",
          "sasl.login.callback.handler.class",
          "sasl.login.class");

  /** Largest value of {@code --rollups-per-message}. */
  public static final int MAX_ROLLUPS_PER_MESSAGE = 1000;

  /** The form of property names; a line of a key or certificate does not match. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9._-]{1,100}");

  /** Without the properties, which have passwords. */
  @Override
  public String toString() {
    return bootstrap + " " + topic;
  }

  /** All problems of these options, one message each; empty if there are none. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (bootstrap.isBlank()) {
      problems.add("--kafka-bootstrap must name at least one broker as host:port");
    }
    if (topic.isBlank()) {
      problems.add("--topic must name an existing topic");
    }
    boolean plugins = properties.keySet().stream().anyMatch(PLUGINS::contains);
    properties.forEach(
        (key, value) -> {
          String reason = REFUSED.get(key);
          if (reason != null) {
            problems.add("--kafka-property " + key + "=" + value + " is refused: " + reason);
          } else if (!plugins
              && !ProducerConfig.configNames().contains(key)
              && !AdminClientConfig.configNames().contains(key)) {
            problems.add(
                NAME.matcher(key).matches()
                    ? "--kafka-property %s is unknown: Kafka's producer has no such property"
                        .formatted(key)
                    : "names in --kafka-config and --kafka-property must be of small letters,"
                        + " digits and dots, found another one (not shown, it may be a line of a"
                        + " key): lines of PEM must be joined by \\n"
                        + "\\");
          }
        });
    if (spread < 1) {
      problems.add("spread must be at least 1 partition, found " + spread);
    }
    if (rollupsPerMessage < 1 || rollupsPerMessage > MAX_ROLLUPS_PER_MESSAGE) {
      problems.add(
          "--rollups-per-message must be 1 to %s, found %s"
              .formatted(MAX_ROLLUPS_PER_MESSAGE, rollupsPerMessage));
    } else if (rollupsPerMessage > 1 && format != MessageFormat.ROLLUP) {
      problems.add(
          "--rollups-per-message goes with --format rollup only: readers of aggregates take one"
              + " object a message");
    }
    if (!(messagesPerSecond >= 0)) {
      problems.add("messages per second must be 0 or more, found " + messagesPerSecond);
    }
    return problems.stream().distinct().toList();
  }

  /** Properties of the producer; serializers are not among them. */
  Properties producerProperties() {
    Properties all = new Properties();
    all.setProperty(ProducerConfig.LINGER_MS_CONFIG, "50");
    all.setProperty(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(256 << 10));
    all.setProperty(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(64 << 20));
    all.setProperty(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    // The messages of a batch are similar, so Kafka's default level 3 does not compress better.
    all.setProperty(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, "1");
    all.setProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "120000");
    // Timeout of send() for buffer space: as long as a batch may take.
    all.setProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, "120000");
    all.setProperty(ProducerConfig.CLIENT_ID_CONFIG, "rollup-job");
    all.putAll(properties);
    all.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    all.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    return all;
  }

  /** Maximum time until a message is acknowledged: delivery.timeout.ms. */
  Duration deliveryTimeout() {
    return Duration.ofMillis(
        Long.parseLong(
            producerProperties().getProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)));
  }

  /** Properties of the admin client: the user's properties that an admin client supports. */
  Properties adminProperties() {
    boolean plugins = properties.keySet().stream().anyMatch(PLUGINS::contains);
    Properties all = new Properties();
    all.setProperty(AdminClientConfig.CLIENT_ID_CONFIG, "rollup-job-check");
    properties.forEach(
        (key, value) -> {
          if (AdminClientConfig.configNames().contains(key)
              || (plugins && !ProducerConfig.configNames().contains(key))) {
            all.setProperty(key, value);
          }
        });
    all.setProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    return all;
  }
}
