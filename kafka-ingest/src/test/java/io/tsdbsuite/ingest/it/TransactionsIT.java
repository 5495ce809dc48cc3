package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.TsdServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Producers that write in transactions: one that does not end, and offsets without a message. */
class TransactionsIT {
  private static final long HOUR = 1763510400L;

  private static KafkaProducer<byte[], byte[]> producer(String id) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                IngestStack.get().kafka().bootstrapServers(),
                "transactional.id",
                id,
                "transaction.timeout.ms",
                "600000"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String topic, String message)
      throws Exception {
    producer
        .send(new ProducerRecord<>(topic, 0, null, message.getBytes(UTF_8)))
        .get(5, TimeUnit.MINUTES);
  }

  @Test
  void anOpenTransactionIsNamedAndRequestsWaitForIt() throws Exception {
    String metric = "transactions.open";
    Map<String, String> conf = Map.of("KafkaRpcPlugin.stallTimeout", "1000");
    try (RepairStack stack = new RepairStack("transactions", conf);
        KafkaProducer<byte[], byte[]> producer = producer("transactions")) {
      String points = stack.group("points");
      stack.store("points", RepairStack.point(metric, HOUR + 1, 1));
      awaitReady(stack.tsd(), points);
      producer.beginTransaction();
      send(producer, points, RepairStack.point(metric, HOUR + 2, 2));
      stack.send("points", List.of(RepairStack.point(metric, HOUR + 3, 3)));
      Await.until(
          "the partition to be named",
          IngestStack.PATIENCE,
          () -> {
            String reason = stack.status("points").get("notReady").asText();
            return reason.startsWith(points + "-0 has stalled at offset 1")
                && reason.endsWith(
                    "2 messages before its end: a transaction at offset 1 has not ended");
          });
      assertThat(stack.status("points").at("/partitions/0/lag").asLong()).isEqualTo(2);
      stack.send("requests", List.of(RepairStack.request(metric, HOUR, "1h")));
      Await.until(
          "the request to wait",
          IngestStack.PATIENCE,
          () -> stack.status("requests").get("waitsFor").asText().contains(points + "-0"));
      producer.commitTransaction();
      stack.await("requests");
      assertThat(StoredRollups.of("repair-1h", 3600, metric))
          .isEqualTo(Map.of(HOUR, new Rollup(6, 1, 3, 3)));
      awaitReady(stack.tsd(), points);
      Await.until(
          "the marker to be committed",
          IngestStack.PATIENCE,
          () -> stack.topics().lag(points, points) == 0);
    }
  }

  @Test
  void theEndIsReachedBehindMarkersAndNothingCountsAsLost() throws Exception {
    String name = "markers";
    KafkaTopics topics = IngestStack.get().kafka().topics();
    topics.create(name, 1);
    topics.create(name + "-dead", 1);
    try (KafkaProducer<byte[], byte[]> producer = producer(name)) {
      producer.beginTransaction();
      send(producer, name, RepairStack.point("transactions.markers", HOUR + 1, 1));
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, name, RepairStack.point("transactions.markers", HOUR + 2, 2));
      producer.abortTransaction();
    }
    TsdServer first = tsd(name, name);
    Await.until(
        "all offsets to be committed", IngestStack.PATIENCE, () -> topics.lag(name, name) == 0);
    assertThat(IngestStack.status(first.client(), name).at("/messages/stored").asLong()).isOne();
    first.stop();
    TopicPartition partition = new TopicPartition(name, 0);
    long end = topics.endOffsets(name).get(0);
    assertThat(end).isEqualTo(4);
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", IngestStack.get().kafka().bootstrapServers()))) {
      admin
          .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end)))
          .all()
          .get(5, TimeUnit.MINUTES);
    }
    TsdServer second = tsd(name + "-again", name);
    awaitReady(second, name);
    JsonNode status = IngestStack.status(second.client(), name);
    assertThat(status.at("/messages/lost").asLong()).isZero();
    second.stop();
  }

  private static TsdServer tsd(String name, String group) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", group);
    conf.put("KafkaRpcPlugin." + group + ".topics", group);
    conf.put("KafkaRpcPlugin.deadLetterTopic", group + "-dead");
    return IngestStack.tsd(name, conf);
  }

  private static void awaitReady(TsdServer tsd, String group) {
    Await.until(
        group + " to be ready",
        IngestStack.PATIENCE,
        () -> IngestStack.status(tsd.client(), group).get("notReady").isNull());
  }
}
