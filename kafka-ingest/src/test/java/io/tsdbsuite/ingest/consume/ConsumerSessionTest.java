package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // MockConsumer's other constructor is not in all of its versions.
class ConsumerSessionTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final long NOW = 1_700_000_000_000L;

  private final MessageQueue queue = new MessageQueue();
  private final GroupContext context =
      TestContexts.of(
          null,
          Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC),
          new TestContexts.ManualTicker(),
          "g.consumerType",
          "REQUEUE_RAW");
  private final Storage storage =
      new Storage() {
        @Override
        public void flush() {
          // Nothing is held back.
        }

        @Override
        public Deferred<Object> probe() {
          return new Deferred<>();
        }
      };

  private static ConsumerRecord<byte[], byte[]> requeued(long offset, long atMillis) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("t", 0, offset, null, new byte[] {'{', '}'});
    record.headers().add(MessageHeaders.REQUEUED_AT, MessageHeaders.bytes(atMillis));
    return record;
  }

  /** Else they would stay in flight for ever. */
  @Test
  void messagesThatAreCountedAreQueuedThoughALaterOneThrows() throws InterruptedException {
    IllegalStateException refused = new IllegalStateException("no such partition");
    boolean[] refuse = {false};
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(OffsetResetStrategy.NONE) {
          @Override
          public synchronized void seek(TopicPartition partition, long offset) {
            if (refuse[0]) {
              throw refused;
            }
            super.seek(partition, offset);
          }
        };
    TestContexts.exists(consumer, "t", 0);
    TestContexts.exists(consumer, "dead", 0);
    ConsumerSession session =
        new ConsumerSession("s", consumer, context, queue, storage, new Timeouts(0, 60_000));
    session.round();
    consumer.rebalance(List.of(ZERO));
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L));
    consumer.updateEndOffsets(Map.of(ZERO, 2L));
    consumer.seek(ZERO, 0);
    consumer.addRecord(requeued(0, 0));
    // Not due: the session seeks back to it.
    consumer.addRecord(requeued(1, NOW));
    refuse[0] = true;
    assertThatThrownBy(session::round).isSameAs(refused);
    assertThat(context.stats.consumedMessages()).isEqualTo(1);
    QueuedMessage first = queue.take(0);
    assertThat(first).isNotNull();
    assertThat(first.record().offset()).isZero();
    assertThat(queue.take(0)).isNull();
  }
}
