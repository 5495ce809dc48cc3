package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker as the tests of consumers need it: many records, groups, restarts under clients. */
@Tag("slow")
class KafkaIT {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static KafkaServer kafka;

  @BeforeAll
  static void start() {
    kafka = KafkaServer.start(WorkDirs.fresh("KafkaIT"), Map.of());
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static List<ProducerRecord<byte[], byte[]>> records(String topic, int from, int to) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = from; i < to; i++) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, bytes("k" + i), bytes("v" + i));
      record.headers().add("number", bytes(Integer.toString(i)));
      records.add(record);
    }
    return records;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static KafkaConsumer<String, String> member(String group, String topic) {
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                group,
                "enable.auto.commit",
                "false",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    consumer.subscribe(List.of(topic));
    return consumer;
  }

  private static void read(KafkaConsumer<String, String> consumer, Set<String> into, int total) {
    Await.until(
        total + " records",
        SOON,
        () -> {
          consumer.poll(Duration.ofMillis(100)).forEach(record -> into.add(record.value()));
          return into.size() >= total;
        });
    assertThat(into).hasSize(total);
  }

  @Test
  void manyRecordsWithHeadersComeBack() {
    KafkaTopics topics = kafka.topics();
    topics.create("many", 4);
    assertThat(topics.send(records("many", 0, 100_000))).isEqualTo(100_000);
    assertThat(topics.endOffsets("many")).containsOnlyKeys(0, 1, 2, 3);
    Set<String> keys = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : topics.readAll("many")) {
      String number = new String(record.key(), StandardCharsets.UTF_8).substring(1);
      assertThat(record.headers().lastHeader("number").value()).isEqualTo(bytes(number));
      assertThat(record.value()).isEqualTo(bytes("v" + number));
      keys.add(number);
    }
    assertThat(keys).hasSize(100_000);
  }

  @Test
  void whatIsRefusedIsSaid() {
    KafkaTopics topics = kafka.topics();
    topics.create("once", 1);
    assertThatThrownBy(() -> topics.create("once", 1))
        .isInstanceOf(ServerException.class)
        .hasRootCauseMessage("Topic 'once' already exists.");
    assertThatThrownBy(() -> topics.endOffsets("missing")).isInstanceOf(ServerException.class);
    byte[] large = new byte[2_000_000];
    assertThatThrownBy(() -> topics.send(List.of(new ProducerRecord<>("once", large))))
        .isInstanceOf(ServerException.class);
    assertThat(topics.endOffsets("once")).isEqualTo(Map.of(0, 0L));
    assertThat(topics.committedOffsets("unknown", "once")).isEmpty();
    assertThat(topics.members("unknown")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "kill"})
  void aBrokerRestartKeepsRecordsOffsetsAndClients(String end) {
    String topic = "restart-" + end;
    String group = "group-" + end;
    KafkaTopics topics = kafka.topics();
    topics.create(topic, 2);
    topics.send(records(topic, 0, 1000));
    assertThat(topics.lag(group, topic)).isEqualTo(1000);
    Set<String> seen = new HashSet<>();
    try (KafkaConsumer<String, String> consumer = member(group, topic)) {
      read(consumer, seen, 1000);
      consumer.commitSync(SOON);
      assertThat(topics.lag(group, topic)).isZero();
      Map<Integer, Long> committed = topics.committedOffsets(group, topic);
      assertThat(committed).isEqualTo(topics.endOffsets(topic)).hasSize(2);
      topics.send(records(topic, 1000, 1500));

      if (end.equals("stop")) {
        kafka.stop();
      } else {
        kafka.kill();
      }
      assertThat(FreePorts.isFree(kafka.port())).isTrue();
      long from = System.nanoTime();
      kafka.start();
      System.out.printf("kafka after %s: %d ms%n", end, (System.nanoTime() - from) / 1_000_000);

      assertThat(topics.committedOffsets(group, topic)).isEqualTo(committed);
      assertThat(topics.lag(group, topic)).isEqualTo(500);
      topics.send(records(topic, 1500, 2000));
      read(consumer, seen, 2000);
      consumer.commitSync(SOON);
    }
    assertThat(topics.lag(group, topic)).isZero();
    assertThat(topics.readAll(topic)).hasSize(2000);
    // The group goes on where it was: nothing is read twice by a new member.
    topics.send(records(topic, 2000, 2001));
    try (KafkaConsumer<String, String> consumer = member(group, topic)) {
      Set<String> more = new HashSet<>();
      read(consumer, more, 1);
      assertThat(more).containsExactly("v2000");
      assertThat(topics.members(group)).hasSize(1).containsValue(2);
    }
    assertThat(topics.members(group)).isEmpty();
  }
}
