package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** How Kafka's consumer takes a deserializer that wants no more. */
class PolledValuesIT {
  private static final int PARTITIONS = 2;
  private static final int MESSAGES = 40;
  private static final int SIZE = 200_000;

  /** Kafka's limits are of compressed bytes, and these are a thousandth. */
  @Test
  void aPollReturnsNoMoreThanItsBytesAndLosesNothing() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    try (KafkaServer kafka =
        KafkaServer.start(Files.createTempDirectory(parent, "polled-"), Map.of())) {
      kafka.topics().create("t", PARTITIONS);
      Map<String, Object> conf = new HashMap<>();
      conf.put("bootstrap.servers", kafka.bootstrapServers());
      conf.put("compression.type", "gzip");
      conf.put("batch.size", "8000000");
      conf.put("linger.ms", "1000");
      conf.put("max.request.size", "33554432");
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(conf, new ByteArraySerializer(), new ByteArraySerializer())) {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = 0; i < PARTITIONS * MESSAGES; i++) {
          sent.add(producer.send(new ProducerRecord<>("t", i % PARTITIONS, null, new byte[SIZE])));
        }
        for (Future<?> each : sent) {
          each.get(5, TimeUnit.MINUTES);
        }
      }
      Map<String, Object> settings =
          KafkaSettings.consumer(TestGroups.config(ConsumerType.RAW).groups.get(0), "polled");
      settings.put("bootstrap.servers", kafka.bootstrapServers());
      PolledValues values = new PolledValues(5 * SIZE);
      try (KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(settings, new ByteArrayDeserializer(), values)) {
        List<TopicPartition> partitions =
            List.of(new TopicPartition("t", 0), new TopicPartition("t", 1));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, List<Long>> read = new HashMap<>();
        int[] largest = {0};
        Await.until(
            "all to be read",
            Duration.ofMinutes(5),
            () -> {
              values.nextPoll();
              ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
              largest[0] = Math.max(largest[0], polled.count());
              for (ConsumerRecord<byte[], byte[]> each : polled) {
                assertThat(each.value()).hasSize(SIZE);
                read.computeIfAbsent(
                        new TopicPartition(each.topic(), each.partition()), k -> new ArrayList<>())
                    .add(each.offset());
              }
              return read.values().stream().mapToInt(List::size).sum() == PARTITIONS * MESSAGES;
            });
        assertThat(largest[0]).isEqualTo(5);
        List<Long> all = LongStream.range(0, MESSAGES).boxed().toList();
        assertThat(read).containsOnlyKeys(partitions).containsValues(all, all);
      }
    }
  }
}
