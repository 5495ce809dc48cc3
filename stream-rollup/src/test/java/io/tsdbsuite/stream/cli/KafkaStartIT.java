package io.tsdbsuite.stream.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.stream.cli.StreamCommand.StartFrom;
import io.tsdbsuite.stream.flink.RollupStart;
import io.tsdbsuite.stream.series.SeriesNames;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.Stack;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** From which time on a job without a checkpoint counts as complete. */
class KafkaStartIT {
  private static final long TIME = 1_763_510_400_000L;
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(TIME + 3_600_000), ZoneOffset.UTC);

  private final StringWriter progress = new StringWriter();

  private static long completeFrom(KafkaStart start, StartFrom from, String... topics) {
    Map<TopicPartition, Long> offsets = start.offsets(List.of(topics), from, "group");
    return start.times(offsets, TIME - 1, CLOCK).complete();
  }

  private static ProducerRecord<byte[], byte[]> message(String topic, int partition, long time) {
    return new ProducerRecord<>(topic, partition, time, null, new byte[] {1});
  }

  private static ProducerRecord<byte[], byte[]> request(
      int partition, String host, long hour, String reason) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\"m\",\"tags\":{\"host\":\"%s\"},"
                + "\"timestamp\":%d,\"intervals\":[\"1h\"],\"reason\":\"%s\"}",
            host,
            hour,
            reason);
    return new ProducerRecord<>("requests", partition, TIME, null, json.getBytes(UTF_8));
  }

  private static String series(String host) {
    return new String(
        requireNonNull(new SeriesNames().encode("m", Map.of("host", host))), ISO_8859_1);
  }

  private static ProducerRecord<byte[], byte[]> told(String key, String json) {
    return new ProducerRecord<>("watermarks", null, key.getBytes(UTF_8), json.getBytes(UTF_8));
  }

  private static ProducerRecord<byte[], byte[]> told(String group, long first, long complete) {
    return new ProducerRecord<>(
        "watermarks", null, RollupStart.key(group), new RollupStart(first, complete).encode());
  }

  /** What the next start without a checkpoint takes over of those before. */
  private void startsBefore(KafkaStart start, KafkaTopics topics) {
    topics.create("watermarks", 2);
    long most = 1000;
    long hour = 3_600_000;
    assertThat(start.startedBefore("watermarks", "group", most, TIME)).isEqualTo(Long.MAX_VALUE);
    topics.send(List.of(told("1h", "{\"type\":\"RollupWatermark\",\"v\":1}")));
    topics.send(List.of(told("group", TIME - 2 * hour, TIME - hour)));
    topics.send(List.of(told("other", TIME - 9 * hour, TIME - hour)));
    assertThat(start.startedBefore("watermarks", "group", most, TIME)).isEqualTo(TIME - 2 * hour);
    // The third in a row: what the first left out may still be missing.
    topics.send(List.of(told("group", TIME - 2 * hour, TIME + 10 * hour)));
    assertThat(start.startedBefore("watermarks", "group", most, TIME + 30 * hour))
        .isEqualTo(TIME - 2 * hour);
    // Each series has requested it.
    assertThat(start.startedBefore("watermarks", "group", most, TIME + 36 * hour))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(progress.toString()).isEmpty();
    topics.send(List.of(told("start/bad", "{\"v\":2,\"firstTime\":1,\"completeFrom\":1}")));
    topics.send(List.of(told("start/bad", "no json")));
    assertThat(start.startedBefore("watermarks", "bad", most, TIME)).isEqualTo(TIME - 48 * hour);
    assertThat(progress.toString())
        .contains("topic watermarks must have a RollupStart of version 1 at offset ");
  }

  private static Map<String, List<Long>> hours(KafkaStart start, String topic, long most) {
    AheadHours ahead = new AheadHours(TIME / 1000, 10);
    assertThat(start.ahead(topic, most, ahead)).isEqualTo(most == 1000 ? 0 : 5);
    return ahead.hours();
  }

  @Test
  void theLatestFirstMessageOrThePresent() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    try (Stack stack =
            Stack.in(Files.createTempDirectory(parent, "start-"))
                // The messages have times that are long ago.
                .kafka(Map.of("log.retention.ms", "-1"))
                .start();
        KafkaStart start =
            new KafkaStart(
                Map.of("bootstrap.servers", stack.kafka().bootstrapServers()),
                new PrintWriter(progress, true))) {
      KafkaTopics topics = stack.kafka().topics();
      topics.create("used", 3);
      topics.create("unused", 2);
      topics.send(
          List.of(
              message("used", 0, TIME),
              message("used", 0, TIME + 9_000),
              message("used", 1, TIME + 5_000)));

      topics.create("wrong", 2);
      topics.send(List.of(message("wrong", 0, 1_763_510_400), message("wrong", 1, TIME + 7_000)));
      assertThat(
              start.times(
                  start.offsets(List.of("wrong"), StartFrom.EARLIEST, "group"), TIME - 1, CLOCK))
          .isEqualTo(new KafkaStart.Times(TIME + 7_000, CLOCK.millis()));
      assertThat(
              start.times(
                  start.offsets(List.of("used"), StartFrom.EARLIEST, "group"), TIME - 1, CLOCK))
          .isEqualTo(new KafkaStart.Times(TIME, TIME + 5_000));
      assertThat(start.hasLogAppendTime("used")).isFalse();

      // The first message is of a producer whose clock is years behind, another one's is ahead.
      topics.create("old", 1);
      topics.send(
          List.of(
              message("old", 0, TIME - 1000),
              message("old", 0, TIME + 7_000),
              message("old", 0, TIME + 6_000),
              message("old", 0, CLOCK.millis() + 1)));
      assertThat(
              start.times(
                  start.offsets(List.of("old"), StartFrom.EARLIEST, "group"), TIME - 1000, CLOCK))
          .isEqualTo(new KafkaStart.Times(TIME - 1000, TIME + 7_000));
      topics.create("appended", 1, Map.of("message.timestamp.type", "LogAppendTime"));
      topics.send(List.of(message("appended", 0, 0)));
      topics.send(List.of(message("appended", 0, 0)));
      KafkaStart.Times appended =
          start.times(
              start.offsets(List.of("appended"), StartFrom.EARLIEST, "group"),
              TIME,
              Clock.systemUTC());
      assertThat(appended.first()).isEqualTo(appended.complete());

      // A job before has read the first partition alone.
      topics.create("held", 2);
      topics.send(
          List.of(
              message("held", 0, TIME),
              message("held", 0, 1_763_510_400),
              message("held", 1, TIME + 7_000)));
      try (Admin admin =
          Admin.create(Map.of("bootstrap.servers", stack.kafka().bootstrapServers()))) {
        admin
            .alterConsumerGroupOffsets(
                "before", Map.of(new TopicPartition("held", 0), new OffsetAndMetadata(1)))
            .all()
            .get(5, TimeUnit.MINUTES);
      }
      Map<TopicPartition, Long> held =
          start.offsets(List.of("held"), StartFrom.COMMITTED, "before");
      assertThat(held)
          .isEqualTo(Map.of(new TopicPartition("held", 0), 1L, new TopicPartition("held", 1), 0L));
      assertThat(start.times(held, TIME - 1, CLOCK))
          .isEqualTo(new KafkaStart.Times(CLOCK.millis() - 2 * 86_400_000, CLOCK.millis()));

      topics.create("requests", 2);
      topics.send(
          List.of(
              request(0, "a", TIME / 1000 + 3600, "ahead"),
              request(0, "a", TIME / 1000 + 3600, "ahead"),
              request(1, "a", TIME / 1000 + 7200, "ahead"),
              request(1, "b", TIME / 1000 + 7200, "ahead"),
              request(1, "b", TIME / 1000 - 2 * 86_400, "ahead"),
              request(0, "late", TIME / 1000 + 3600, "late"),
              new ProducerRecord<>("requests", 0, TIME, null, "\"ahead\"".getBytes(UTF_8))));
      assertThat(hours(start, "requests", 1000))
          .isEqualTo(
              Map.of(
                  series("a"), List.of(TIME / 1000 + 3600, TIME / 1000 + 7200),
                  series("b"), List.of(TIME / 1000 + 7200)));
      // The newest message of each partition.
      assertThat(hours(start, "requests", 2)).isEmpty();
      assertThat(hours(start, "unused", 1000)).isEmpty();
      startsBefore(start, topics);

      // Points of a topic without any message may have been written elsewhere until now.
      assertThat(completeFrom(start, StartFrom.EARLIEST, "unused")).isEqualTo(CLOCK.millis());
      assertThat(completeFrom(start, StartFrom.EARLIEST, "used")).isEqualTo(TIME + 5_000);
      assertThat(completeFrom(start, StartFrom.EARLIEST, "used", "unused")).isEqualTo(TIME + 5_000);
      assertThat(completeFrom(start, StartFrom.LATEST, "used")).isEqualTo(CLOCK.millis());
      assertThat(completeFrom(start, StartFrom.COMMITTED, "used")).isEqualTo(CLOCK.millis());
    }
  }
}
