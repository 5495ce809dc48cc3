package io.tsdbsuite.ingest.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.testkit.Await;
import java.time.Clock;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.hbase.async.HBaseFailures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MessageCompletionTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final int TRIES = 4;

  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());
  private final AsyncProducer producers =
      new AsyncProducer("message-completion-test", () -> producer);

  @AfterEach
  void close() {
    producers.close();
  }

  private GroupContext context(String... keys) {
    return TestContexts.of(producers, Clock.systemUTC(), ticker, keys);
  }

  /** Fails one message; returns its partition's progress. */
  private static PartitionProgress fail(GroupContext context, long offset, Throwable cause)
      throws InterruptedException {
    PartitionProgress progress = new PartitionProgress(ZERO, 0);
    long sequence = progress.add(offset);
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("t", 0, offset, null, "{}".getBytes(UTF_8));
    assertThat(context.inFlightLimit.acquire(1, 2, 0)).isTrue();
    progress.start(0, null, 0);
    InFlightMessage message =
        new InFlightMessage(
            new QueuedMessage(record, progress, sequence, 0), 1, 0, context.completion);
    message.recordFailure(StorageFailure.of(cause));
    message.partCompleted();
    return progress;
  }

  private void awaitSent(int records) {
    Await.until(
        records + " records", Duration.ofMinutes(1), () -> producer.history().size() >= records);
  }

  @Test
  void whatFailsInTheTsdsCodeEachTimeBecomesADeadLetter() throws InterruptedException {
    GroupContext context = context("g.maxRequeues", Integer.toString(TRIES));
    IllegalStateException exhausted = new IllegalStateException("Should never happen!");
    for (int i = 1; i < TRIES; i++) {
      assertThat(fail(context, 7, exhausted).failure()).isNotNull();
    }
    PartitionProgress last = fail(context, 7, exhausted);
    awaitSent(1);
    producer.completeNext();
    assertThat(last.failure()).isNull();
    assertThat(last.committable()).isEqualTo(8);
    assertThat(context.stats.deadLetters(Reason.REFUSED)).isEqualTo(1);
    // Later messages get no further attempts, since each attempt stops the partition.
    PartitionProgress next = fail(context, 8, exhausted);
    awaitSent(2);
    producer.completeNext();
    assertThat(next.failure()).isNull();
    // Only for a while: the cause may be fixed by then.
    ticker.add(Duration.ofHours(1).toMillis());
    assertThat(fail(context, 9, exhausted).failure()).isNotNull();
    assertThat(context.inFlightLimit.used()).isZero();
  }

  @Test
  void anOutageIsNeverGivenUp() throws InterruptedException {
    GroupContext context = context("g.maxRequeues", "1", "g.requeueTopic", "again");
    for (int i = 0; i < 100; i++) {
      assertThat(fail(context, 7, HBaseFailures.timedOut()).failure()).isNotNull();
    }
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void whatIsTooLargeToBeRequeuedBecomesADeadLetter() throws InterruptedException {
    GroupContext context = context("g.requeueTopic", "again");
    PartitionProgress progress = fail(context, 7, HBaseFailures.noFamily());
    awaitSent(1);
    assertThat(producer.history().get(0).topic()).isEqualTo("again");
    producer.errorNext(new RecordTooLargeException("no"));
    awaitSent(2);
    assertThat(producer.history().get(1).topic()).isEqualTo("dead");
    producer.completeNext();
    assertThat(progress.committable()).isEqualTo(8);
    assertThat(context.stats.deadLetters(Reason.STORAGE)).isEqualTo(1);
  }
}
