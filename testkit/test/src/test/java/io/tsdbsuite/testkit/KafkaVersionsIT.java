package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our clients with the oldest and the newest broker. */
@Tag("slow")
class KafkaVersionsIT {
  private static final Duration SOON = Duration.ofMinutes(1);

  @ParameterizedTest
  @EnumSource(
      value = KafkaVersion.class,
      names = {"V2_8", "V4_3"})
  void aGroupReadsAndCommitsOverACrash(KafkaVersion version) {
    try (KafkaServer kafka =
        KafkaServer.start(WorkDirs.fresh("KafkaVersionsIT-" + version), Map.of(), version)) {
      KafkaTopics topics = kafka.topics();
      topics.create("points", 2);
      topics.send(records(0, 1000));
      try (KafkaConsumer<String, String> consumer = member(kafka)) {
        read(consumer, 1000);
        consumer.commitSync(SOON);
        assertThat(topics.lag("group", "points")).isZero();
        assertThat(topics.members("group")).hasSize(1).containsValue(2);
        kafka.kill();
        kafka.start();
        topics.send(records(1000, 1100));
        assertThat(topics.lag("group", "points")).isEqualTo(100);
        read(consumer, 100);
      }
      assertThat(topics.readAll("points")).hasSize(1100);
      kafka.stop();
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> records(int from, int to) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = from; i < to; i++) {
      byte[] bytes = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      records.add(new ProducerRecord<>("points", bytes, bytes));
    }
    return records;
  }

  private static KafkaConsumer<String, String> member(KafkaServer kafka) {
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "group.id", "group",
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    consumer.subscribe(List.of("points"));
    return consumer;
  }

  private static void read(KafkaConsumer<String, String> consumer, int count) {
    Set<String> values = new HashSet<>();
    Await.until(
        count + " records",
        SOON,
        () -> {
          consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
          return values.size() >= count;
        });
    assertThat(values).hasSize(count);
  }
}
