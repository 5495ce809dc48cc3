package io.tsdbsuite.bench.stream;

import io.tsdbsuite.testkit.KafkaServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** A Kafka broker with the whole compiler and 1 GB of heap, and what its topics contain. */
final class Broker implements AutoCloseable {
  private static final int NODE = 1;
  private static final String FLAGS_KEY = "testkit.jvm.flags";
  private static final String FLAGS =
      "-XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC -Xms1g -Xmx1g";

  private final KafkaServer kafka;

  /** Starts the broker. */
  Broker(Path dir) {
    System.setProperty(FLAGS_KEY, FLAGS);
    try {
      // The messages have times of their own, which may be days ago.
      kafka = KafkaServer.start(dir, Map.of("log.retention.ms", "-1"));
    } finally {
      System.clearProperty(FLAGS_KEY);
    }
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Binds it to the second core, so that it takes no time of a job on the first. */
  void bind() throws IOException, InterruptedException {
    Cores.bindToSecond(kafka.pid());
  }

  /** Lets it use all cores. */
  void release() throws IOException, InterruptedException {
    Cores.release(kafka.pid());
  }

  /**
   * Creates the topics of a run. The rollups get the time at which they reach the broker, whatever
   * time their producer sets.
   */
  void create(Way.Run run) throws InterruptedException {
    kafka.createTopic(run.points(), InputWriter.PARTITIONS);
    kafka.createTopic(run.requests(), InputWriter.PARTITIONS);
    kafka.createTopic(run.watermarks(), 1);
    try (Admin admin = admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(run.rollups(), Optional.of(InputWriter.PARTITIONS), Optional.empty())
                      .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("topics of " + run.name() + " were not created", e);
    }
  }

  /** Deletes all topics of a run, so that the disk and the page cache have room. */
  void delete(Way.Run run) throws InterruptedException {
    try (Admin admin = admin()) {
      Set<String> names =
          admin.listTopics().names().get().stream()
              .filter(topic -> topic.startsWith(run.name() + "-"))
              .collect(Collectors.toSet());
      admin.deleteTopics(names).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("topics of " + run.name() + " were not deleted", e);
    }
  }

  /** Messages in the topics with these names. */
  long messages(Predicate<String> topics) throws InterruptedException {
    try (Admin admin = admin()) {
      Set<String> names =
          admin.listTopics().names().get().stream().filter(topics).collect(Collectors.toSet());
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (TopicDescription topic : admin.describeTopics(names).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(
                partition ->
                    ends.put(
                        new TopicPartition(topic.name(), partition.partition()),
                        OffsetSpec.latest()));
      }
      return admin.listOffsets(ends).all().get().values().stream()
          .mapToLong(ListOffsetsResultInfo::offset)
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the topics could not be read", e.getCause());
    }
  }

  /** Size of the topics with these names on the broker's disk, bytes. */
  long bytes(Predicate<String> topics) throws InterruptedException {
    try (Admin admin = admin()) {
      return admin.describeLogDirs(List.of(NODE)).allDescriptions().get().values().stream()
          .flatMap(node -> node.values().stream())
          .flatMap(dir -> dir.replicaInfos().entrySet().stream())
          .filter(replica -> topics.test(replica.getKey().topic()))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the topics could not be read", e.getCause());
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }

  @Override
  public void close() {
    kafka.close();
  }
}
