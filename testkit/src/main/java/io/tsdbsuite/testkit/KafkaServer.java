package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One Kafka node (KRaft) in a JVM of its own; topics are not made by themselves. */
public final class KafkaServer extends ManagedServer {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration READ = Duration.ofMinutes(1);

  private final Path dir;
  private final Map<String, String> conf;
  private final int port = FreePorts.next();
  private final int controllerPort = FreePorts.next();

  private KafkaServer(Path dir, Map<String, String> conf) {
    this.dir = dir.toAbsolutePath();
    this.conf = Map.copyOf(conf);
  }

  /**
   * Starts a broker.
   *
   * @param dir all of its files; one that a former broker left is used again
   * @param conf overrides of server.properties
   * @return the running broker
   * @throws ServerException with the end of the log when it does not start
   */
  public static KafkaServer start(Path dir, Map<String, String> conf) {
    KafkaServer server = new KafkaServer(dir, conf);
    server.start();
    return server;
  }

  @Override
  ServerProcess launch() {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("dir", dir.toString());
    arguments.put("port", Integer.toString(port));
    arguments.put("controllerPort", Integer.toString(controllerPort));
    conf.forEach((key, value) -> arguments.put("conf." + key, value));
    return ServerProcess.start(ServerProcess.Kind.KAFKA, "kafka", dir, List.of(), arguments, START);
  }

  /**
   * Where clients find it.
   *
   * @return {@code 127.0.0.1:PORT}, the same for the life of this object
   */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /**
   * The broker's port.
   *
   * @return the port
   */
  public int port() {
    return port;
  }

  /**
   * Makes a topic and waits until every partition has a leader.
   *
   * @param topic its name
   * @param partitions its partitions
   * @throws ServerException when the broker refuses
   */
  public void createTopic(String topic, int partitions) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
          .all()
          .get(READ.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new ServerException("topic " + topic + " was not made", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while topic " + topic + " was made", e);
    }
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      Await.until(
          "the leaders of " + topic,
          READ,
          () -> {
            List<PartitionInfo> infos = consumer.partitionsFor(topic);
            return infos != null
                && infos.size() == partitions
                && infos.stream().allMatch(info -> info.leader() != null);
          });
    }
  }

  /**
   * Reads a topic from its start to where it ends at the call, aborted transactions left out.
   *
   * @param topic the topic
   * @return the records; those of one partition in their order
   * @throws ServerException when the end is not reached within a minute
   */
  public List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
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
          READ,
          () -> {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
              if (record.offset() < ends.get(new TopicPartition(topic, record.partition()))) {
                records.add(record);
              }
            }
            return partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p));
          });
    }
    return Collections.unmodifiableList(records);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            "false"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
