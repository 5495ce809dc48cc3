package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Kafka is away from the start, comes, and hangs: the TSD takes points all the time. */
class PublisherOutageIT {
  private static final long DAY = 1763510400L;
  private static final int POINTS = 5_000;
  private static final int MAX_QUEUED = 500;

  /** The time for which Kafka's producer blocks its caller; more than a busy machine needs. */
  private static final Duration MAX_BLOCK = Duration.ofSeconds(60);

  private static Duration put(TsdServer tsd, String name, int count) {
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(new DataPoint("outage." + name, DAY + i, (long) i, Map.of("host", "a")));
    }
    long start = System.nanoTime();
    tsd.client().put(points);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void theTsdTakesPointsWhileKafkaIsAway() throws IOException {
    KafkaServer kafka = KafkaServer.start(IngestStack.directory("publisher-kafka"), Map.of());
    try {
      kafka.createTopic("published", 2);
      kafka.kill();
      Map<String, String> conf = Publishing.conf("published");
      conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", kafka.bootstrapServers());
      conf.put("KafkaRpcPlugin.kafka.max.block.ms", Long.toString(MAX_BLOCK.toMillis()));
      conf.put("KafkaRpcPlugin.publisher.maxQueued", Integer.toString(MAX_QUEUED));
      TsdServer tsd = Publishing.tsd("publisher-outage", conf);
      // One blocked thread of the TSD would take longer.
      assertThat(put(tsd, "dead", POINTS)).isLessThan(MAX_BLOCK);
      assertThat(Publishing.points(tsd, "received")).isEqualTo(POINTS);
      assertThat(Publishing.points(tsd, "acknowledged")).isZero();
      assertThat(Publishing.points(tsd, "dropped")).isGreaterThanOrEqualTo(POINTS - MAX_QUEUED);
      assertThat(Publishing.queued(tsd)).isBetween(1L, (long) MAX_QUEUED);

      kafka.start();
      Publishing.awaitDone(tsd, POINTS);
      put(tsd, "back", MAX_QUEUED);
      Publishing.awaitDone(tsd, POINTS + MAX_QUEUED);
      assertBooks(tsd, kafka);
      assertThat(sent(kafka, "outage.back")).isEqualTo(MAX_QUEUED);

      kafka.suspend();
      assertThat(put(tsd, "hang", POINTS)).isLessThan(MAX_BLOCK);
      long received = 2L * POINTS + MAX_QUEUED;
      assertThat(Publishing.points(tsd, "received")).isEqualTo(received);
      assertThat(Publishing.queued(tsd)).isLessThanOrEqualTo(MAX_QUEUED);
      kafka.resume();
      Publishing.awaitDone(tsd, received);
      put(tsd, "awake", MAX_QUEUED);
      Publishing.awaitDone(tsd, received + MAX_QUEUED);
      assertBooks(tsd, kafka);
      assertThat(sent(kafka, "outage.awake")).isEqualTo(MAX_QUEUED);
      tsd.stop();
    } finally {
      kafka.close();
    }
  }

  /** Kafka has each acknowledged point; it may have others whose acknowledgement came too late. */
  private static void assertBooks(TsdServer tsd, KafkaServer kafka) {
    long acknowledged = Publishing.points(tsd, "acknowledged");
    assertThat(acknowledged + Publishing.points(tsd, "dropped"))
        .isEqualTo(Publishing.points(tsd, "received"));
    assertThat((long) kafka.readAll("published").size()).isGreaterThanOrEqualTo(acknowledged);
  }

  private static long sent(KafkaServer kafka, String metric) {
    long sent = 0;
    for (ConsumerRecord<byte[], byte[]> record : kafka.readAll("published")) {
      if (new String(record.value(), UTF_8).contains("\"" + metric + "\"")) {
        sent++;
      }
    }
    return sent;
  }
}
