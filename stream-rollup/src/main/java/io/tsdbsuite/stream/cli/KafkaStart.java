package io.tsdbsuite.stream.cli;

import static java.util.Objects.requireNonNull;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.stream.cli.StreamCommand.StartFrom;
import io.tsdbsuite.stream.series.RequestReason;
import io.tsdbsuite.stream.series.SeriesNames;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Asks Kafka before the job starts: whether the topics fit, where to read from, and from which time
 * on the job will have all messages.
 */
final class KafkaStart implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Hours of all series that are known at a start; 100 bytes and a name each. */
  private static final int MOST_AHEAD = 200_000;

  /** How far a partition whose first message has no good time may be behind, ms. */
  private static final long UNKNOWN = 2L * 86_400_000;

  /** The widest interval, seconds. */
  private static final long DAY = 86_400;

  private final Map<String, String> settings;
  private final Admin admin;

  /**
   * Creates the client; connects with the first question.
   *
   * @throws JobException usage, when a setting is wrong
   */
  KafkaStart(Map<String, String> settings) {
    this.settings = settings;
    Properties properties = new Properties();
    properties.putAll(settings);
    try {
      admin = Admin.create(properties);
    } catch (RuntimeException e) {
      throw JobException.usage("Kafka's client rejects its settings: " + cause(e), e);
    }
  }

  /**
   * Checks that topics exist, and that Kafka keeps each message.
   *
   * @param series topics whose keys are series
   * @param others topics that may be compacted
   * @param problems receives what does not fit
   * @throws JobException outside, when no broker answers
   */
  void checkTopics(List<String> series, List<String> others, Problems problems) {
    for (String topic : others) {
      exists(topic, problems);
    }
    for (String topic : series) {
      if (!exists(topic, problems)) {
        continue;
      }
      String policy = setting(topic, TopicConfig.CLEANUP_POLICY_CONFIG);
      if (policy.contains("compact")) {
        problems.add(
            "topic "
                + topic
                + " must have cleanup.policy=delete, since a key is a series and not a message,"
                + " found: "
                + policy);
      }
    }
  }

  private String setting(String topic, String key) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    ConfigEntry entry =
        get(requireNonNull(admin.describeConfigs(Set.of(resource)).values().get(resource)))
            .get(key);
    return entry == null || entry.value() == null ? "" : entry.value();
  }

  private boolean exists(String topic, Problems problems) {
    try {
      partitions(topic);
      return true;
    } catch (JobException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        problems.add("topic " + topic + " must exist, found none of this name");
        return false;
      }
      throw e;
    }
  }

  private Collection<TopicPartition> partitions(String topic) {
    TopicDescription description =
        get(requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic)));
    return description.partitions().stream()
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .toList();
  }

  /** The offset at which each partition of these topics is read. */
  Map<TopicPartition, Long> offsets(List<String> topics, StartFrom from, String group) {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    for (String topic : topics) {
      for (TopicPartition partition : partitions(topic)) {
        specs.put(
            partition, from == StartFrom.EARLIEST ? OffsetSpec.earliest() : OffsetSpec.latest());
      }
    }
    Map<TopicPartition, Long> offsets = new HashMap<>();
    get(admin.listOffsets(specs).all())
        .forEach((partition, info) -> offsets.put(partition, info.offset()));
    if (from == StartFrom.COMMITTED) {
      Map<TopicPartition, OffsetAndMetadata> committed =
          new HashMap<>(get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()));
      committed.values().removeIf(Objects::isNull);
      committed.keySet().retainAll(offsets.keySet());
      if (!committed.isEmpty()) {
        // A partition that the job before had not read yet is read from its first message on.
        specs.replaceAll((partition, end) -> OffsetSpec.earliest());
        get(admin.listOffsets(specs).all())
            .forEach((partition, info) -> offsets.put(partition, info.offset()));
      }
      committed.forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    }
    return offsets;
  }

  /**
   * From when on messages are read.
   *
   * @param first time of the first message of all partitions, ms since the epoch; the present if
   *     there is none
   * @param complete time from which all messages are read
   */
  record Times(long first, long complete) {}

  /**
   * From when on messages are read. All are read from the time of the first message of each
   * partition at its offset, or the present where there is none yet, or where producers set the
   * times; the latest of all partitions. A partition that never had a message does not count,
   * unless none ever had one: then the points may have been written elsewhere until now.
   *
   * @param earliest times of messages before are wrong, ms since the epoch
   */
  Times times(Map<TopicPartition, Long> offsets, long earliest, Clock clock) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    offsets.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResultInfo> latest = get(admin.listOffsets(ends).all());
    Set<TopicPartition> unread = new HashSet<>(offsets.keySet());
    unread.removeIf(
        partition ->
            offsets.getOrDefault(partition, 0L) >= requireNonNull(latest.get(partition)).offset());
    Map<TopicPartition, Long> times = firstTimes(offsets, unread);
    boolean unused = latest.values().stream().allMatch(end -> end.offset() == 0);
    long now = clock.millis();
    long first = now;
    long complete = unused ? now : 0;
    Map<String, Boolean> ordered = new HashMap<>();
    for (Map.Entry<TopicPartition, Long> start : offsets.entrySet()) {
      TopicPartition partition = start.getKey();
      // A transaction that is open, or was aborted: nothing is known of the partition.
      long time = times.getOrDefault(partition, Long.MIN_VALUE);
      if (time >= earliest) {
        first = Math.min(first, time);
      }
      // Messages before the offset are not read; with CreateTime they may be newer than it.
      boolean known =
          time >= earliest
              && (start.getValue() == 0
                  || ordered.computeIfAbsent(partition.topic(), this::hasLogAppendTime));
      if (known) {
        complete = Math.max(complete, Math.min(time, now));
      } else if (unread.contains(partition) || start.getValue() > 0) {
        complete = now;
      }
      if (time < earliest && unread.contains(partition) && start.getValue() > 0) {
        // It may have held the job before back by any time.
        first = Math.min(first, now - UNKNOWN);
      }
    }
    return new Times(first, complete);
  }

  /** Whether the broker sets the times of the messages. */
  boolean hasLogAppendTime(String topic) {
    return setting(topic, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals("LogAppendTime");
  }

  /** The time of the message at the offset of each partition; none of open transactions. */
  private Map<TopicPartition, Long> firstTimes(
      Map<TopicPartition, Long> offsets, Set<TopicPartition> unread) {
    Map<TopicPartition, Long> times = new HashMap<>();
    if (unread.isEmpty()) {
      return times;
    }
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "1024");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    long until = System.nanoTime() + TIMEOUT.toNanos();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(unread);
      unread.forEach(partition -> consumer.seek(partition, offsets.getOrDefault(partition, 0L)));
      while (times.size() < unread.size() && System.nanoTime() < until) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          TopicPartition partition = new TopicPartition(each.topic(), each.partition());
          if (times.putIfAbsent(partition, each.timestamp()) == null) {
            consumer.pause(List.of(partition));
          }
        }
      }
    } catch (RuntimeException e) {
      throw JobException.outside("Kafka fails: " + cause(e), e);
    }
    return times;
  }

  /**
   * The hours with points that were ahead of their messages, as jobs before have told them in the
   * topic of the requests: its state may be lost.
   *
   * @param since hours that ended before are left out, seconds since the epoch
   * @return starts of hours, seconds since the epoch, by the names of the series
   * @throws JobException outside, when Kafka does not answer; usage, when there are too many
   */
  Map<String, List<Long>> ahead(String topic, long since) {
    Map<String, Set<Long>> found = new HashMap<>();
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    MessageReader reader = new MessageReader();
    SeriesNames names = new SeriesNames();
    int hours = 0;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Collection<TopicPartition> partitions = partitions(topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, TIMEOUT);
      long heard = System.nanoTime();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        ConsumerRecords<byte[], byte[]> some = consumer.poll(Duration.ofMillis(200));
        if (!some.isEmpty()) {
          heard = System.nanoTime();
        } else if (System.nanoTime() - heard > TIMEOUT.toNanos()) {
          throw JobException.outside("Kafka sends no messages of topic " + topic);
        }
        for (ConsumerRecord<byte[], byte[]> each : some) {
          hours += addAhead(each.value(), reader, names, since, found);
          if (hours > MOST_AHEAD) {
            throw JobException.usage(
                "topic "
                    + topic
                    + " must have at most "
                    + MOST_AHEAD
                    + " hours of points ahead of their messages, found more: mend the producers'"
                    + " clocks, and start with a new --request-topic");
          }
        }
      }
    } catch (KafkaException e) {
      throw JobException.outside("Kafka fails: " + cause(e), e);
    }
    Map<String, List<Long>> sorted = new HashMap<>();
    found.forEach((series, all) -> sorted.put(series, all.stream().sorted().toList()));
    return sorted;
  }

  /** Returns the number of hours added. */
  private static int addAhead(
      byte @Nullable [] message,
      MessageReader reader,
      SeriesNames names,
      long since,
      Map<String, Set<Long>> found) {
    String reason = RequestReason.AHEAD.text();
    // Most requests have another reason, and need not be parsed.
    if (message == null
        || !new String(message, StandardCharsets.ISO_8859_1).contains('"' + reason + '"')) {
      return 0;
    }
    int added = 0;
    try {
      for (Element each : reader.read(message)) {
        if (each instanceof RollupRequestElement request
            && request.reason().equals(reason)
            && request.timestamp() + DAY > since) {
          byte[] series = names.encode(request.metric(), request.tags());
          if (series != null
              && found
                  .computeIfAbsent(
                      new String(series, StandardCharsets.ISO_8859_1), key -> new HashSet<>())
                  .add(request.timestamp())) {
            added++;
          }
        }
      }
    } catch (BadMessageException e) {
      // Not of stream-rollup: kafka-ingest counts it.
      return added;
    }
    return added;
  }

  private <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw JobException.outside("Kafka fails: " + cause, cause);
    } catch (TimeoutException e) {
      throw JobException.outside(
          "Kafka must answer within "
              + TIMEOUT.toSeconds()
              + " s, found no answer: check "
              + settings.get("bootstrap.servers"),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while Kafka was asked", e);
    }
  }

  private static String cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
