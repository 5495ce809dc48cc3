package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** A region that is away while HBase lives: asynchbase asks its callers to throttle. */
class ThrottleIT {
  private static final String TOPIC = "throttle";
  private static final TableName TABLE = TableName.valueOf("tsdb-rollup-10m");
  private static final int MESSAGES = 3_000;
  private static final int PARTITIONS = 2;

  @Test
  void partitionsStopWhileTheRegionIsAwayAndNothingIsLost() throws IOException {
    KafkaTopics topics = IngestStack.get().kafka().topics();
    topics.create(TOPIC, PARTITIONS);
    topics.create("throttle-dead", 1);
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", "throttle");
    conf.put("KafkaRpcPlugin.throttle.topics", TOPIC);
    conf.put("KafkaRpcPlugin.throttle.readyLag", "0");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "throttle-dead");
    // Puts that may wait for a region; 1,000 and 10,000 by default. A put is a row with all its
    // messages that were at hand: there are 50 to 100 of them.
    conf.put("hbase.nsre.low_watermark", "5");
    conf.put("hbase.nsre.high_watermark", "20");
    long before = IngestStack.get().hbase().digest(TABLE.getNameAsString()).cells();
    TsdServer tsd = IngestStack.tsd("throttle", conf);
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      // The client must know the region, or it would wait to find it.
      topics.send(List.of(rollup(0)));
      IngestStack.awaitCaughtUp(tsd, "throttle", 1);
      admin.disableTable(TABLE);
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (int i = 1; i < MESSAGES; i++) {
        records.add(rollup(i));
      }
      topics.send(records);
      Await.until(
          "a partition to stop",
          IngestStack.PATIENCE,
          () -> IngestStack.status(tsd.client(), "throttle").get("storageFailures").asInt() > 0);
      JsonNode stopped = IngestStack.status(tsd.client(), "throttle");
      assertThat(stopped.get("points").get("inFlightLimit").asInt()).isLessThan(100_000);
      assertThat(stopped.get("messages").get("stored").asLong()).isEqualTo(1);
      Await.until(
          "the lag to be seen",
          IngestStack.PATIENCE,
          () ->
              IngestStack.status(tsd.client(), "throttle")
                  .get("notReady")
                  .asText()
                  .contains("messages behind"));
      admin.enableTable(TABLE);
      Await.until(
          "everything to be stored and the group to be ready",
          IngestStack.PATIENCE,
          () -> IngestStack.status(tsd.client(), "throttle").get("notReady").isNull());
      JsonNode status = IngestStack.status(tsd.client(), "throttle");
      assertThat(status.get("deadLetters")).isEmpty();
      assertThat(status.get("pausedSeconds").asDouble()).isPositive();
      assertThat(IngestStack.get().hbase().digest(TABLE.getNameAsString()).cells() - before)
          .isEqualTo(2L * MESSAGES);
      assertThat(status.get("points").get("inFlight").asInt()).isZero();
    } finally {
      tsd.stop();
    }
    assertThat(topics.lag("throttle", TOPIC)).isZero();
  }

  private static ProducerRecord<byte[], byte[]> rollup(int i) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"throttle.m\",\"tags\":{\"s\":\"%d\"},"
                + "\"timestamp\":%d,\"interval\":\"10m\",\"values\":{\"sum\":%d.5,\"count\":10}}",
            i % 50,
            1763424000L + i / 50 * 600L,
            i);
    return new ProducerRecord<>(
        TOPIC, i % 50 % PARTITIONS, null, json.getBytes(StandardCharsets.UTF_8));
  }
}
