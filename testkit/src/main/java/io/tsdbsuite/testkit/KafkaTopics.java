package io.tsdbsuite.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Topics, records and consumer groups of one broker, for tests.
 *
 * <p>Every call opens and closes its own clients, and fails after a minute with a {@link
 * ServerException}, also if the broker is down.
 */
public final class KafkaTopics {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String LIMIT_MILLIS = Long.toString(LIMIT.toMillis());

  private final String bootstrapServers;

  /**
   * A view of a broker.
   *
   * @param bootstrapServers {@link KafkaServer#bootstrapServers()}
   */
  public KafkaTopics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Creates a topic and waits until every partition has a leader.
   *
   * @param topic its name
   * @param partitions its partitions
   * @throws ServerException when the broker refuses
   */
  public void create(String topic, int partitions) {
    create(topic, partitions, Map.of());
  }

  /**
   * Creates a topic with settings of its own, and waits until every partition has a leader.
   *
   * @param topic its name
   * @param partitions its partitions
   * @param configs settings that differ from the broker's
   * @throws ServerException when the broker refuses
   */
  public void create(String topic, int partitions, Map<String, String> configs) {
    runWithAdmin(
        "topic " + topic + " was not created",
        admin ->
            get(
                admin
                    .createTopics(
                        List.of(
                            new NewTopic(topic, Optional.of(partitions), Optional.empty())
                                .configs(configs)))
                    .all()));
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      Await.until(
          "the leaders of " + topic,
          LIMIT,
          () -> {
            List<PartitionInfo> infos = consumer.partitionsFor(topic);
            return infos != null
                && infos.size() == partitions
                && infos.stream().allMatch(info -> info.leader() != null);
          });
    }
  }

  /**
   * Deletes a topic; clients notice when they ask for its metadata again.
   *
   * @param topic its name
   * @throws ServerException when the broker refuses
   */
  public void delete(String topic) {
    runWithAdmin(
        "topic " + topic + " was not deleted",
        admin -> get(admin.deleteTopics(List.of(topic)).all()));
  }

  /**
   * Sends records and returns when the broker has acknowledged every one (acks=all). The producer
   * is idempotent: a restart of the broker meanwhile causes no loss, duplicate or reordering in a
   * partition.
   *
   * @param records topic, key, value, headers; read once
   * @return number of records
   * @throws ServerException when a record was rejected or not acknowledged within a minute; other
   *     records may be in the topic
   */
  public long send(Iterable<ProducerRecord<byte[], byte[]>> records) {
    AtomicReference<Exception> failure = new AtomicReference<>();
    long sent = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "all",
                "linger.ms",
                "5",
                "batch.size",
                "131072",
                "max.block.ms",
                LIMIT_MILLIS,
                "delivery.timeout.ms",
                LIMIT_MILLIS),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (ProducerRecord<byte[], byte[]> record : records) {
        // The callback gets every failure.
        Future<RecordMetadata> unused =
            producer.send(
                record,
                (metadata, e) -> {
                  if (e != null) {
                    failure.compareAndSet(null, e);
                  }
                });
        sent++;
        if (failure.get() != null) {
          break;
        }
      }
      producer.flush(); // Bounded: each record is acknowledged or fails after the delivery timeout.
    } catch (KafkaException e) {
      failure.compareAndSet(null, e);
    }
    if (failure.get() != null) {
      throw new ServerException("a record of the first " + sent + " was not sent", failure.get());
    }
    return sent;
  }

  /**
   * Reads a topic from its start to its end at the time of the call, without aborted transactions.
   *
   * @param topic the topic
   * @return the records; records of one partition are in order
   * @throws ServerException when the end is not reached within a minute
   */
  public List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    read(topic, records::add);
    return Collections.unmodifiableList(records);
  }

  /**
   * Reads a topic from its start to its end at the time of the call, without aborted transactions.
   *
   * @param topic the topic
   * @param reader receives each record; records of one partition are in order
   * @throws ServerException when the end is not reached within a minute
   */
  public void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (PartitionInfo info : consumer.partitionsFor(topic)) {
        partitions.add(new TopicPartition(topic, info.partition()));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Await.until(
          "the end of " + topic,
          LIMIT,
          () -> {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
              long end = ends.getOrDefault(new TopicPartition(topic, record.partition()), 0L);
              if (record.offset() < end) {
                reader.accept(record);
              }
            }
            return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
          });
    }
  }

  /**
   * The end offsets of a topic's partitions.
   *
   * @param topic the topic
   * @return partition to the offset of the next record
   * @throws ServerException when the broker does not answer
   */
  public Map<Integer, Long> endOffsets(String topic) {
    return withAdmin(
        "the end of " + topic + " is not known",
        admin -> byPartition(offsets(admin, topic, OffsetSpec.latest())));
  }

  /**
   * The committed offsets of a group.
   *
   * @param group the group's id
   * @param topic the topic
   * @return partition to committed offset; partitions without a commit are missing
   * @throws ServerException when the broker does not answer
   */
  public Map<Integer, Long> committedOffsets(String group, String topic) {
    return withAdmin(
        "the offsets of group " + group + " are not known",
        admin -> byPartition(committed(admin, group, topic)));
  }

  /**
   * The lag of a group: offsets of a topic that it has not committed. Control records of
   * transactions count; a partition without a commit counts from its first record.
   *
   * @param group the group's id
   * @param topic the topic
   * @return records; 0 when all are committed
   * @throws ServerException when the broker does not answer
   */
  public long lag(String group, String topic) {
    return withAdmin(
        "the lag of group " + group + " is not known",
        admin -> {
          Map<TopicPartition, Long> committed = committed(admin, group, topic);
          Map<TopicPartition, Long> starts = offsets(admin, topic, OffsetSpec.earliest());
          long lag = 0;
          for (Map.Entry<TopicPartition, Long> end :
              offsets(admin, topic, OffsetSpec.latest()).entrySet()) {
            lag +=
                end.getValue()
                    - Math.max(
                        starts.getOrDefault(end.getKey(), 0L),
                        committed.getOrDefault(end.getKey(), 0L));
          }
          return lag;
        });
  }

  /**
   * The members of a group and their number of partitions, from the coordinator.
   *
   * @param group the group's id
   * @return member id (starts with its client.id) to its number of partitions, 0 for all while the
   *     group rebalances
   * @throws ServerException when the broker does not answer
   */
  public Map<String, Integer> members(String group) {
    return withAdmin(
        "the members of group " + group + " are not known",
        admin -> {
          Map<String, Integer> members = new TreeMap<>();
          for (ConsumerGroupDescription description :
              get(admin.describeConsumerGroups(List.of(group)).all()).values()) {
            for (MemberDescription member : description.members()) {
              members.put(member.consumerId(), member.assignment().topicPartitions().size());
            }
          }
          return members;
        });
  }

  private static Map<TopicPartition, Long> committed(Admin admin, String group, String topic)
      throws ExecutionException, TimeoutException, InterruptedException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> entry :
        get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()).entrySet()) {
      // Null: the group requested the partition but has committed no offset.
      if (entry.getKey().topic().equals(topic) && entry.getValue() != null) {
        committed.put(entry.getKey(), entry.getValue().offset());
      }
    }
    return committed;
  }

  private static Map<TopicPartition, Long> offsets(Admin admin, String topic, OffsetSpec spec)
      throws ExecutionException, TimeoutException, InterruptedException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (TopicDescription description :
        get(admin.describeTopics(List.of(topic)).allTopicNames()).values()) {
      for (TopicPartitionInfo info : description.partitions()) {
        asked.put(new TopicPartition(topic, info.partition()), spec);
      }
    }
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> entry :
        get(admin.listOffsets(asked).all()).entrySet()) {
      offsets.put(entry.getKey(), entry.getValue().offset());
    }
    return offsets;
  }

  private static Map<Integer, Long> byPartition(Map<TopicPartition, Long> offsets) {
    return offsets.entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().partition(), Map.Entry::getValue, Long::sum, TreeMap::new));
  }

  private interface AdminAction {
    void with(Admin admin) throws ExecutionException, TimeoutException, InterruptedException;
  }

  private void runWithAdmin(String failure, AdminAction action) {
    withAdmin(
        failure,
        admin -> {
          action.with(admin);
          return Boolean.TRUE;
        });
  }

  private interface AdminCall<T> {
    T with(Admin admin) throws ExecutionException, TimeoutException, InterruptedException;
  }

  private <T> T withAdmin(String failure, AdminCall<T> call) {
    Admin admin =
        Admin.create(
            Map.of("bootstrap.servers", bootstrapServers, "default.api.timeout.ms", LIMIT_MILLIS));
    try {
      return call.with(admin);
    } catch (ExecutionException e) {
      throw new ServerException(failure, e.getCause());
    } catch (TimeoutException e) {
      throw new ServerException(failure + " within " + LIMIT.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException(failure + ": interrupted", e);
    } finally {
      admin.close(Duration.ZERO); // All responses have arrived or are not needed any more.
    }
  }

  private static <T> T get(KafkaFuture<T> future)
      throws ExecutionException, TimeoutException, InterruptedException {
    return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            "false",
            "max.poll.records",
            "20000",
            "default.api.timeout.ms",
            LIMIT_MILLIS),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
