package io.tsdbsuite.ingest.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the brokers what a group's consumers cannot: they read committed messages, so that they see
 * no end of a partition behind an open transaction. The first question opens the connection.
 * Thread-safe.
 */
class Brokers implements AutoCloseable {
  private static final int WAIT_MILLIS = 2_000;

  private final Supplier<Admin> admins;
  private @Nullable Admin admin;

  Brokers(Supplier<Admin> admins) {
    this.admins = admins;
  }

  /**
   * The ends of partitions (high watermarks), including messages of open transactions.
   *
   * @throws KafkaException when the brokers refuse, or do not answer within two seconds
   */
  Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (TopicPartition partition : partitions) {
      latest.put(partition, OffsetSpec.latest());
    }
    Map<TopicPartition, ListOffsetsResultInfo> found =
        get(
            admin()
                .listOffsets(
                    latest,
                    new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs(WAIT_MILLIS))
                .all());
    Map<TopicPartition, Long> ends = new HashMap<>();
    found.forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  /**
   * A topic's {@code message.timestamp.type}.
   *
   * @throws KafkaException when the brokers refuse, or do not answer within two seconds
   */
  String timestampType(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<ConfigResource, Config> found =
        get(
            admin()
                .describeConfigs(
                    Collections.singleton(resource),
                    new DescribeConfigsOptions().timeoutMs(WAIT_MILLIS))
                .all());
    ConfigEntry entry =
        Objects.requireNonNull(found.get(resource)).get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    return entry == null ? "none" : String.valueOf(entry.value());
  }

  private synchronized Admin admin() {
    if (admin == null) {
      admin = admins.get();
    }
    return admin;
  }

  private static <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException
          ? (KafkaException) e.getCause()
          : new KafkaException(e.getCause());
    }
  }

  /** Closes the connection without waiting for answers. */
  @Override
  public synchronized void close() {
    if (admin != null) {
      // Zero waits for ever if the client's thread hangs.
      admin.close(Duration.ofMillis(1));
      admin = null;
    }
  }
}
