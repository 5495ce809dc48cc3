package io.tsdbsuite.bench.stream;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * When the messages of a topic reached the broker.
 *
 * @param millis milliseconds since the epoch, ascending
 */
record Arrivals(long[] millis) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** Reads a topic to its present end. */
  static Arrivals of(String bootstrapServers, String topic) {
    LongStream.Builder times = LongStream.builder();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Stream<TopicPartition> open = partitions.stream();
      while (open.anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          times.add(message.timestamp());
        }
        open = partitions.stream();
      }
    }
    return new Arrivals(times.build().sorted().toArray());
  }

  /** Messages from one instant to another (exclusive), milliseconds since the epoch. */
  long count(long from, long to) {
    return Arrays.stream(millis).filter(time -> time >= from && time < to).count();
  }

  /**
   * The most messages in one of the spans that begin at {@code from} and follow each other.
   *
   * @param to end of the last span at most
   * @param span milliseconds
   */
  long most(long from, long to, long span) {
    int spans = (int) ((to - from) / span);
    long[] counts = new long[spans];
    for (long time : millis) {
      long at = Math.floorDiv(time - from, span);
      if (at >= 0 && at < spans) {
        counts[(int) at]++;
      }
    }
    return Arrays.stream(counts).max().orElse(0);
  }
}
