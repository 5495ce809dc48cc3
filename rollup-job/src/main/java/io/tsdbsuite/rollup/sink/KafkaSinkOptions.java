package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.MessageFormat;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** What a user says about Kafka. Make one, change it with the {@code with} methods. */
public final class KafkaSinkOptions implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Properties that the job sets itself, each with the reason that the message gives. */
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

  /** Properties that bring classes in, which may have settings of their own. */
  private static final Set<String> PLUGINS =
      Set.of(
          ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
          ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG,
          "security.providers",
          "ssl.engine.factory.class",
          "sasl.client.callback.handler.class",
          "sasl.login.callback.handler.class",
          "sasl.login.class");

  /** What all names of properties look like; a line of a key or certificate does not. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9._-]{1,100}");

  private final String bootstrap;
  private final String topic;
  private TreeMap<String, String> properties = new TreeMap<>();
  private MessageFormat format = MessageFormat.ROLLUP;
  private PartitionBy partitionBy = PartitionBy.SERIES;
  private int spread = 1;
  private double messagesPerSecond;

  /**
   * Options with the format {@code rollup}, partitions by series, and no throttle.
   *
   * @param bootstrap host:port of some brokers, separated by commas
   * @param topic an existing topic
   */
  public KafkaSinkOptions(String bootstrap, String topic) {
    this.bootstrap = bootstrap;
    this.topic = topic;
  }

  private KafkaSinkOptions copy() {
    KafkaSinkOptions copy = new KafkaSinkOptions(bootstrap, topic);
    copy.properties = properties;
    copy.format = format;
    copy.partitionBy = partitionBy;
    copy.spread = spread;
    copy.messagesPerSecond = messagesPerSecond;
    return copy;
  }

  /** With these producer properties of the user, which win over the job's where they may. */
  public KafkaSinkOptions withProperties(Map<String, String> values) {
    KafkaSinkOptions copy = copy();
    copy.properties = new TreeMap<>(values);
    return copy;
  }

  /** With this format. */
  public KafkaSinkOptions withFormat(MessageFormat value) {
    KafkaSinkOptions copy = copy();
    copy.format = value;
    return copy;
  }

  /**
   * With this partitioning.
   *
   * @param spreadOver how many partitions a metric spreads over, for {@link PartitionBy#METRIC}; at
   *     least 1
   */
  public KafkaSinkOptions withPartitionBy(PartitionBy value, int spreadOver) {
    KafkaSinkOptions copy = copy();
    copy.partitionBy = value;
    copy.spread = spreadOver;
    return copy;
  }

  /**
   * With a limit for all tasks of the job together.
   *
   * @param perSecond messages per second; 0 = unlimited
   */
  public KafkaSinkOptions withMessagesPerSecond(double perSecond) {
    KafkaSinkOptions copy = copy();
    copy.messagesPerSecond = perSecond;
    return copy;
  }

  /** Brokers to begin with. */
  public String bootstrap() {
    return bootstrap;
  }

  /** The topic. */
  public String topic() {
    return topic;
  }

  /** What the messages look like. */
  public MessageFormat format() {
    return format;
  }

  /** How messages find their partition. */
  public PartitionBy partitionBy() {
    return partitionBy;
  }

  /** Partitions that a metric spreads over. */
  public int spread() {
    return spread;
  }

  /** Limit of the job in messages per second; 0 = unlimited. */
  public double messagesPerSecond() {
    return messagesPerSecond;
  }

  /** Everything that is wrong with these options, one message each; empty if nothing is. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (bootstrap == null || bootstrap.isBlank()) {
      problems.add("--kafka-bootstrap must name at least one broker as host:port");
    }
    if (topic == null || topic.isBlank()) {
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
                    ? "--kafka-property "
                        + key
                        + " is unknown: Kafka's producer has no such property"
                    : "names in --kafka-config and --kafka-property must be of small letters,"
                        + " digits and dots, found another one (not shown, it may be a line of a"
                        + " key): lines of PEM must be joined by \\n"
                        + "\\");
          }
        });
    if (spread < 1) {
      problems.add("spread must be at least 1 partition, found " + spread);
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
    // Messages of a batch are so alike that Kafka's default, 3, makes them no smaller.
    all.setProperty(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, "1");
    all.setProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "120000");
    // How long send() waits for room in the buffer: as long as a batch may take.
    all.setProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, "120000");
    all.setProperty(ProducerConfig.CLIENT_ID_CONFIG, "rollup-job");
    all.putAll(properties);
    all.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    all.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    return all;
  }

  /** How long a message may take until it is acknowledged: delivery.timeout.ms. */
  Duration deliveryTimeout() {
    return Duration.ofMillis(
        Long.parseLong(
            producerProperties().getProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)));
  }

  /** Properties of the admin client of the check: those of the user that it knows. */
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
