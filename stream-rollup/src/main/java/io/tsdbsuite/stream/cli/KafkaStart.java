package io.tsdbsuite.stream.cli;

import static java.util.Objects.requireNonNull;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.stream.cli.StreamCommand.StartFrom;
import io.tsdbsuite.stream.flink.RollupStart;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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

/**
 * Asks Kafka before the job starts: whether the topics fit, where to read from, and from which time
 * on the job will have all messages.
 */
final class KafkaStart implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How far a job before may have been behind if nothing tells it, ms. */
  private static final long UNKNOWN = 2L * 86_400_000;

  private static final long DAY_MILLIS = 86_400_000;
  private static final long HOUR_MILLIS = 3_600_000;

  /** Messages of a partition whose times are looked at, where producers set them. */
  private static final int LOOKED_AT = 100;

  private final Map<String, String> settings;
  private final PrintWriter progress;
  private final Admin admin;

  /**
   * Creates the client; connects with the first question.
   *
   * @param progress for lines about what takes long
   * @throws JobException usage, when a setting is wrong
   */
  KafkaStart(Map<String, String> settings, PrintWriter progress) {
    this.settings = settings;
    this.progress = progress;
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
            ("topic %s must have cleanup.policy=delete, since a key is a series and not a"
                    + " message, found: %s")
                .formatted(topic, policy));
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
   * times; the latest of all partitions. From offset 0 on the producers' times count, too; and
   * since the clock of one may be years behind, also the latest of the first messages, in the
   * partition where that is least. A partition that never had a message does not count, unless none
   * ever had one: then the points may have been written elsewhere until now.
   *
   * @param earliest times of messages before are wrong, ms since the epoch
   */
  Times times(Map<TopicPartition, Long> offsets, long earliest, Clock clock) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    offsets.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResultInfo> latest = get(admin.listOffsets(ends).all());
    Map<TopicPartition, Long> unread = new HashMap<>();
    offsets.forEach(
        (partition, start) -> {
          long end = requireNonNull(latest.get(partition)).offset();
          if (start < end) {
            unread.put(partition, end);
          }
        });
    boolean unused = latest.values().stream().allMatch(end -> end.offset() == 0);
    long now = clock.millis();
    Map<String, Boolean> ordered = new HashMap<>();
    offsets.keySet().forEach(each -> ordered.computeIfAbsent(each.topic(), this::hasLogAppendTime));
    Map<TopicPartition, Times> times = firstTimes(offsets, unread, ordered, now);
    long first = now;
    long complete = unused ? now : 0;
    long latestOfFew = Long.MAX_VALUE;
    for (Map.Entry<TopicPartition, Long> start : offsets.entrySet()) {
      TopicPartition partition = start.getKey();
      // A transaction that is open, or was aborted: nothing is known of the partition.
      Times found = times.getOrDefault(partition, new Times(Long.MIN_VALUE, Long.MIN_VALUE));
      boolean isGood = found.first() >= earliest;
      if (isGood) {
        first = Math.min(first, found.first());
      }
      // Messages before the offset are not read; with CreateTime they may be newer than it.
      boolean isKnown =
          isGood && (start.getValue() == 0 || ordered.getOrDefault(partition.topic(), false));
      if (isKnown) {
        complete = Math.max(complete, Math.min(found.first(), now));
        latestOfFew = Math.min(latestOfFew, found.complete());
      } else if (unread.containsKey(partition) || start.getValue() > 0) {
        complete = now;
      }
      if (!isGood && unread.containsKey(partition) && start.getValue() > 0) {
        // It may have held the job before back by any time.
        first = Math.min(first, now - UNKNOWN);
      }
    }
    if (latestOfFew < now) {
      complete = Math.max(complete, latestOfFew);
    }
    return new Times(first, complete);
  }

  /** Whether the broker sets the times of the messages. */
  boolean hasLogAppendTime(String topic) {
    return setting(topic, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals("LogAppendTime");
  }

  /**
   * The time of the message at the offset of each partition, none of open transactions; and the
   * latest of the next ones that is not ahead of the present, if it is the producers' and no
   * message was before.
   */
  private Map<TopicPartition, Times> firstTimes(
      Map<TopicPartition, Long> offsets,
      Map<TopicPartition, Long> unread,
      Map<String, Boolean> ordered,
      long now) {
    Map<TopicPartition, Times> times = new HashMap<>();
    if (unread.isEmpty()) {
      return times;
    }
    Properties properties = reader();
    properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "1024");
    Map<TopicPartition, Integer> seen = new HashMap<>();
    Set<TopicPartition> open = new HashSet<>(unread.keySet());
    long until = System.nanoTime() + TIMEOUT.toNanos();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(open);
      open.forEach(partition -> consumer.seek(partition, offsets.getOrDefault(partition, 0L)));
      while (!open.isEmpty() && System.nanoTime() < until) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          TopicPartition partition = new TopicPartition(each.topic(), each.partition());
          long time = each.timestamp();
          int before = seen.merge(partition, 1, Integer::sum) - 1;
          if (before == 0) {
            times.put(partition, new Times(time, time));
          } else if (before < most(partition, offsets, ordered) && time <= now) {
            times.computeIfPresent(
                partition,
                (key, found) -> new Times(found.first(), Math.max(found.complete(), time)));
          }
        }
        open.removeIf(
            partition ->
                seen.getOrDefault(partition, 0) >= most(partition, offsets, ordered)
                    || consumer.position(partition) >= unread.getOrDefault(partition, 0L));
        consumer.assign(open);
      }
    } catch (RuntimeException e) {
      throw JobException.outside("Kafka fails: " + cause(e), e);
    }
    return times;
  }

  /** How many messages of a partition are looked at. */
  private static int most(
      TopicPartition partition, Map<TopicPartition, Long> offsets, Map<String, Boolean> ordered) {
    return offsets.getOrDefault(partition, 0L) > 0 || ordered.getOrDefault(partition.topic(), false)
        ? 1
        : LOOKED_AT;
  }

  /**
   * Collects the points ahead of their messages from the topic of the requests.
   *
   * @param most limit of messages; the newest are read
   * @return number of older messages, which were not read
   * @throws JobException outside, when Kafka does not answer
   */
  long ahead(String topic, long most, AheadHours found) {
    return read(topic, most, each -> found.add(each.value()));
  }

  /**
   * Since when buckets may be missing for which jobs of this group had to send requests, but which
   * they may not have sent yet: they started without a checkpoint, too. Each series has sent its
   * requests a day behind such a start.
   *
   * @param topic of the watermarks
   * @param most limit of messages; the newest are read
   * @param first time of the first message that is read now, ms since the epoch
   * @return ms since the epoch; Long.MAX_VALUE for no such start
   * @throws JobException outside, when Kafka does not answer
   */
  long startedBefore(String topic, String group, long most, long first) {
    long[] earliest = {Long.MAX_VALUE};
    byte[] key = RollupStart.key(group);
    read(
        topic,
        most,
        each -> {
          if (!Arrays.equals(each.key(), key) || each.value() == null) {
            return;
          }
          RollupStart start = RollupStart.decode(each.value());
          if (start == null) {
            progress.println(
                ("stream-rollup: topic %s must have a RollupStart of version 1 at offset %s,"
                        + " found another message: it counts as a start of two days ago")
                    .formatted(topic, each.offset()));
            earliest[0] = Math.min(earliest[0], first - UNKNOWN);
          } else if (start.completeFrom() > first - DAY_MILLIS - HOUR_MILLIS) {
            earliest[0] = Math.min(earliest[0], start.firstTime());
          }
        });
    return earliest[0];
  }

  /** Reads a topic up to its present end; returns the number of messages that were left out. */
  private long read(String topic, long most, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Properties properties = reader();
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "10000");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Collection<TopicPartition> partitions = partitions(topic);
      consumer.assign(partitions);
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, TIMEOUT);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, TIMEOUT);
      long all = 0;
      long left = 0;
      for (TopicPartition partition : partitions) {
        long begin = begins.getOrDefault(partition, 0L);
        long end = ends.getOrDefault(partition, 0L);
        long from = Math.max(begin, end - most / partitions.size());
        consumer.seek(partition, from);
        all += end - from;
        left += from - begin;
      }
      long count = 0;
      long heard = System.nanoTime();
      long told = heard;
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        ConsumerRecords<byte[], byte[]> some = consumer.poll(Duration.ofMillis(200));
        long now = System.nanoTime();
        if (!some.isEmpty()) {
          heard = now;
        } else if (now - heard > TIMEOUT.toNanos()) {
          throw JobException.outside("Kafka sends no messages of topic " + topic);
        }
        for (ConsumerRecord<byte[], byte[]> each : some) {
          sink.accept(each);
        }
        count += some.count();
        if (now - told > PROGRESS_NANOS) {
          told = now;
          progress.printf(
              Locale.ROOT,
              "stream-rollup: read %,d of %,d messages of topic %s%n",
              count,
              all,
              topic);
          progress.flush();
        }
      }
      return left;
    } catch (KafkaException e) {
      throw JobException.outside("Kafka fails: " + cause(e), e);
    }
  }

  private Properties reader() {
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    return properties;
  }

  private <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw JobException.outside("Kafka fails: " + cause, cause);
    } catch (TimeoutException e) {
      throw JobException.outside(
          "Kafka must answer within %s s, found no answer: check %s"
              .formatted(TIMEOUT.toSeconds(), settings.get("bootstrap.servers")),
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
