package io.tsdbsuite.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limit and the books; PublisherIT and RequeueIT have real brokers. */
class BoundedProducerTest {
  private final MockProducer<byte[], byte[]> kafka =
      new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());
  private final BoundedProducer producer =
      new BoundedProducer(new AsyncProducer("bounded-producer-test", () -> kafka), 2);
  private final List<String> losses = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    producer.close();
  }

  private void send() {
    producer.send(() -> new ProducerRecord<>("t", new byte[1]), losses::add);
  }

  private void await(int records) {
    Await.until("records", Duration.ofMinutes(1), () -> kafka.history().size() == records);
  }

  private void assertBooks(long acknowledged, long lost, int queued) {
    assertThat(producer.acknowledged()).isEqualTo(acknowledged);
    assertThat(producer.lost()).isEqualTo(lost);
    assertThat(producer.queued()).isEqualTo(queued);
    assertThat(losses).hasSize((int) lost);
  }

  @Test
  void aPointBeyondTheLimitIsLostAndMakesNoRecord() {
    send();
    send();
    producer.send(
        () -> {
          throw new AssertionError("no record is wanted");
        },
        losses::add);
    assertThat(losses).containsExactly("Kafka is too slow, 2 records are queued already");
    assertBooks(0, 1, 2);
    await(2);
    assertThat(kafka.completeNext()).isTrue();
    assertBooks(1, 1, 1);
    send();
    await(3);
    assertThat(kafka.errorNext(new TimeoutException("away"))).isTrue();
    assertThat(losses).last().asString().contains("away");
    assertThat(kafka.completeNext()).isTrue();
    assertBooks(2, 2, 0);
  }

  @Test
  void aPointWithoutARecordIsLost() {
    producer.send(
        () -> {
          throw new IOException("no message");
        },
        losses::add);
    producer.send(
        () -> {
          throw new IllegalStateException("no record");
        },
        losses::add);
    assertThat(losses)
        .containsExactly(
            "java.io.IOException: no message", "java.lang.IllegalStateException: no record");
    assertBooks(0, 2, 0);
  }

  @Test
  void aPointAfterTheEndIsLost() {
    BoundedProducer closed =
        new BoundedProducer(new AsyncProducer("bounded-producer-closed", () -> kafka), 2);
    closed.close();
    closed.send(() -> new ProducerRecord<>("t", new byte[1]), losses::add);
    assertThat(losses).hasSize(1);
    assertThat(closed.lost()).isEqualTo(1);
    assertThat(closed.queued()).isZero();
  }
}
