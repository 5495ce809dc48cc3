package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.TsdServer;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A group that starts at the end of its topic, and one whose topic has a damaged batch. */
class OddStartIT {
  private static final long HOUR = 1763510400L;
  private static final String LATEST = "odd-latest";
  private static final String DAMAGED = "odd-damaged";

  private static KafkaTopics topics;
  private static TsdServer tsd;

  @BeforeAll
  static void start() throws Exception {
    topics = IngestStack.get().kafka().topics();
    topics.create("odd-dead", 1);
    topics.create(LATEST, 1);
    topics.create(DAMAGED, 2);
    topics.send(List.of(point(LATEST, 0, "before")));
    topics.send(List.of(point(DAMAGED, 0, "whole")));
    topics.send(List.of(point(DAMAGED, 0, "damaged")));
    topics.send(List.of(point(DAMAGED, 1, "beside")));
    damageTheEnd(new TopicPartition(DAMAGED, 0));
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", LATEST + "," + DAMAGED);
    conf.put("KafkaRpcPlugin.deadLetterTopic", "odd-dead");
    conf.put("KafkaRpcPlugin.kafka.metadata.max.age.ms", "500");
    for (String group : List.of(LATEST, DAMAGED)) {
      conf.put("KafkaRpcPlugin." + group + ".topics", group);
    }
    conf.put("KafkaRpcPlugin.kafka." + LATEST + ".auto.offset.reset", "latest");
    tsd = IngestStack.tsd("odd", conf);
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  private static ProducerRecord<byte[], byte[]> point(String topic, int partition, String name) {
    String json =
        "{\"type\":\"Metric\",\"metric\":\"odd."
            + name
            + "\",\"timestamp\":"
            + HOUR
            + ",\"value\":1,\"tags\":{\"a\":\"b\"}}";
    return new ProducerRecord<>(topic, partition, null, json.getBytes(UTF_8));
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", IngestStack.get().kafka().bootstrapServers()));
  }

  /** As a disk does: a byte of the last batch is another one. */
  private static void damageTheEnd(TopicPartition partition) throws Exception {
    Path directory = null;
    try (Admin admin = admin()) {
      int broker = admin.describeCluster().nodes().get(5, TimeUnit.MINUTES).iterator().next().id();
      Map<String, LogDirDescription> logs =
          admin
              .describeLogDirs(List.of(broker))
              .allDescriptions()
              .get(5, TimeUnit.MINUTES)
              .get(broker);
      for (Map.Entry<String, LogDirDescription> log : logs.entrySet()) {
        if (log.getValue().replicaInfos().containsKey(partition)) {
          directory = Path.of(log.getKey());
        }
      }
    }
    Path segment = directory.resolve(partition.toString()).resolve("00000000000000000000.log");
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
      long at = file.length() - 20;
      file.seek(at);
      int old = file.read();
      file.seek(at);
      file.write(old ^ 1);
    }
  }

  private static boolean isStored(String name) {
    return !tsd.client().suggest("metrics", "odd." + name, 1).isEmpty()
        && !tsd.client().query(QuerySpec.of("odd." + name, HOUR, HOUR + 1)).isEmpty();
  }

  @Test
  void latestCommitsItsStartAndReadsNewPartitionsFromTheirBeginning() throws Exception {
    Await.until(
        "the start is committed",
        IngestStack.PATIENCE,
        () -> topics.committedOffsets(LATEST, LATEST).equals(Map.of(0, 1L)));
    try (Admin admin = admin()) {
      admin
          .createPartitions(Map.of(LATEST, NewPartitions.increaseTo(2)))
          .all()
          .get(5, TimeUnit.MINUTES);
    }
    topics.send(List.of(point(LATEST, 1, "born")));
    Await.until("the new partition is read", IngestStack.PATIENCE, () -> isStored("born"));
    assertThat(isStored("before")).isFalse();
  }

  @Test
  void aDamagedBatchStopsItsPartitionAlone() {
    Await.until(
        "the partition and the offset to be named",
        IngestStack.PATIENCE,
        () ->
            IngestStack.status(tsd.client(), DAMAGED)
                .get("notReady")
                .asText()
                .startsWith(DAMAGED + "-0 has a damaged batch at offset 1"));
    topics.send(List.of(point(DAMAGED, 0, "behind"), point(DAMAGED, 1, "later")));
    for (String name : List.of("whole", "beside", "later")) {
      Await.until(name + " to be stored", IngestStack.PATIENCE, () -> isStored(name));
    }
    Await.until(
        "both partitions to be committed",
        IngestStack.PATIENCE,
        () -> {
          Map<Integer, Long> offsets = topics.committedOffsets(DAMAGED, DAMAGED);
          return offsets.getOrDefault(0, 0L) >= 1 && offsets.getOrDefault(1, 0L) >= 2;
        });
    assertThat(topics.committedOffsets(DAMAGED, DAMAGED)).isEqualTo(Map.of(0, 1L, 1, 2L));
    for (String name : List.of("damaged", "behind")) {
      assertThat(isStored(name)).as(name).isFalse();
    }
  }
}
