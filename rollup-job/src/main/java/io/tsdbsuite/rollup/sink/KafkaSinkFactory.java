package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.rate.Leases;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends rollups to a Kafka topic.
 *
 * <p>There is nothing to commit or to roll back. Messages are idempotent: a consumer that receives
 * one twice overwrites the same cells (docs/rollup-message.md).
 */
public final class KafkaSinkFactory implements SinkFactory {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSinkFactory.class);

  /** Timeout of the check, unless default.api.timeout.ms is set. */
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(30);

  private static final long SETTINGS_SECONDS = 10;

  private final KafkaSinkOptions options;
  private final Leases leases;
  private long asOf;

  /** On the driver, after the topic was checked. */
  private transient @Nullable Topic found;

  /** Creates a factory without a rate limit; {@link #limitedBy} sets one. */
  public KafkaSinkFactory(KafkaSinkOptions options) {
    this(options, Leases.UNLIMITED);
  }

  private KafkaSinkFactory(KafkaSinkOptions options, Leases leases) {
    this.options = options;
    this.leases = leases;
  }

  @Override
  public void asOf(long millis) {
    asOf = millis;
  }

  /**
   * Checks that the options are valid, that Kafka answers within 30 s (or {@code
   * default.api.timeout.ms}), and that the topic exists, is not compacted and has enough
   * partitions. Creates nothing, even if the brokers auto-create topics.
   */
  @Override
  public void check() throws SinkException {
    List<String> problems = options.problems();
    if (!problems.isEmpty()) {
      throw new SinkException.Fatal(String.join("\n", problems));
    }
    try {
      newProducer(options).close(Duration.ZERO);
    } catch (KafkaException e) {
      throw KafkaFailures.sinkException("Kafka producer can't be made of the options given", e);
    }
    Properties properties = options.adminProperties();
    if (!properties.containsKey(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG)) {
      properties.putIfAbsent(
          AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(CHECK_TIMEOUT.toMillis()));
      properties.put(
          AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
          properties.get(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG));
    }
    String what =
        "Kafka at " + options.bootstrap() + " can't be asked about topic " + options.topic();
    Admin admin;
    try {
      admin = Admin.create(properties);
    } catch (KafkaException e) {
      throw KafkaFailures.sinkException(what, e);
    }
    try {
      found = checkTopic(admin);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new SinkException.Fatal(
            "topic %s does not exist at %s: create it first, the job creates no topics"
                .formatted(options.topic(), options.bootstrap()),
            e.getCause());
      }
      throw KafkaFailures.sinkException(what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SinkException.Retryable("interrupted while Kafka was asked about its topic", e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  @Override
  public Map<String, String> identity() {
    return found == null ? Map.of() : found.identity();
  }

  @Override
  public List<String> warnings() {
    return found == null ? List.of() : found.warnings();
  }

  private Topic checkTopic(Admin admin)
      throws SinkException, ExecutionException, InterruptedException {
    String topic = options.topic();
    TopicDescription description =
        Objects.requireNonNull(
            admin
                .describeTopics(Set.of(topic))
                .allTopicNames()
                .get() // Bounded by default.api.timeout.ms.
                .get(topic));
    int partitions = description.partitions().size();
    if (options.partitionBy() == PartitionBy.METRIC && options.spread() > partitions) {
      throw new SinkException.Fatal(
          String.format(
              Locale.ROOT,
              "a metric can't spread over %d partitions: topic %s has %d",
              options.spread(),
              topic,
              partitions));
    }
    Map<String, String> settings = settings(admin);
    String cleanup = settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
    if (cleanup.contains("compact")) {
      throw new SinkException.Fatal(
          ("topic %s has cleanup.policy=%s: the key is the series, so that compaction would"
                  + " keep only the last message of each; use cleanup.policy=delete")
              .formatted(topic, cleanup));
    }
    return Topic.of(description, settings);
  }

  /** The topic's settings; empty if the brokers refuse them. */
  private Map<String, String> settings(Admin admin) throws InterruptedException {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, options.topic());
    Map<String, String> settings = new HashMap<>();
    try {
      Config config =
          admin
              .describeConfigs(Set.of(topic))
              .all()
              .get(SETTINGS_SECONDS, TimeUnit.SECONDS)
              .get(topic);
      for (ConfigEntry entry : Objects.requireNonNull(config).entries()) {
        settings.put(entry.name(), String.valueOf(entry.value()));
      }
    } catch (ExecutionException | TimeoutException e) {
      // Reading settings needs a separate permission, which the job does not require.
      LOG.info("the settings of topic {} are not known: {}", options.topic(), e.toString());
    }
    return settings;
  }

  @Override
  public int rollupsPerMessage() {
    return options.rollupsPerMessage();
  }

  @Override
  public long leastMessages(long rollups) {
    return options.format() == MessageFormat.AGGREGATE
        ? rollups * MessageFormat.AGGREGATE.encoder(0).messages(new RollupPoint())
        : SinkFactory.super.leastMessages(rollups);
  }

  @Override
  public double messagesPerSecond() {
    return options.messagesPerSecond();
  }

  @Override
  public SinkFactory limitedBy(Leases shared) {
    KafkaSinkFactory limited = new KafkaSinkFactory(options, shared);
    limited.asOf(asOf);
    return limited;
  }

  @Override
  public boolean takesBack() {
    return options.format() == MessageFormat.ROLLUP;
  }

  @Override
  public RollupSink open(int partition, long attempt) {
    KafkaSinkOptions current = options;
    return new KafkaSink(
        current,
        asOf,
        partition,
        attempt,
        () -> newProducer(current),
        leases,
        Throttle.Clock.SYSTEM);
  }

  private static Producer<byte[], byte[]> newProducer(KafkaSinkOptions options) {
    Properties properties = options.producerProperties();
    properties.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
    properties.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** True: all messages of a finished task are acknowledged. */
  @Override
  public boolean keepsFinished() {
    return true;
  }

  /** No-op: all messages of a finished task are acknowledged. */
  @Override
  public void commit(List<SinkResult> results, RunIdentity run) {}

  /** No-op: messages cannot be recalled, and a retry overwrites their values. */
  @Override
  public void abort() {}
}
