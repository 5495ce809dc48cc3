package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OffsetResetTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final TopicPartition ONE = new TopicPartition("t", 1);
  private static final TopicPartition TWO = new TopicPartition("t", 2);

  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(OffsetResetStrategy.NONE);

  @BeforeEach
  void topics() {
    TestContexts.exists(consumer, "t", 0, 1);
    TestContexts.exists(consumer, "dead", 0);
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L, ONE, 0L, TWO, 0L));
    consumer.updateEndOffsets(Map.of(ZERO, 5L, ONE, 0L, TWO, 3L));
  }

  private GroupContext context;

  private ConsumerSession session(String reset) {
    context = TestContexts.of(null, Clock.systemUTC(), ticker, "kafka.auto.offset.reset", reset);
    Storage storage =
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
    return new ConsumerSession(
        "s", consumer, context, new MessageQueue(), storage, new Timeouts(0, 60_000));
  }

  private Map<TopicPartition, OffsetAndMetadata> committed() {
    return consumer.committed(Set.of(ZERO, ONE, TWO));
  }

  /** Else a message that comes while the TSD is away is behind the "end" of its next start. */
  @Test
  void latestCommitsWhereItStartsAtOnce() {
    ConsumerSession session = session("latest");
    session.round();
    consumer.rebalance(List.of(ZERO, ONE));
    // The mock tells of one partition at a time.
    session.round();
    session.round();
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(5));
    assertThat(committed().get(ONE)).isEqualTo(new OffsetAndMetadata(0));
    assertThat(consumer.position(ZERO)).isEqualTo(5);
  }

  @Test
  void latestReadsPartitionsThatAreBornLaterFromTheirBeginning() {
    ConsumerSession session = session("latest");
    session.round();
    consumer.rebalance(List.of(ZERO, ONE));
    session.round();
    session.round();
    TestContexts.exists(consumer, "t", 0, 1, 2);
    consumer.rebalance(List.of(ZERO, ONE, TWO));
    session.round();
    session.round();
    assertThat(consumer.position(TWO)).isZero();
    assertThat(consumer.position(ZERO)).isEqualTo(5);
  }

  @Test
  void earliestReadsAll() {
    ConsumerSession session = session("earliest");
    session.round();
    consumer.rebalance(List.of(ZERO, TWO));
    session.round();
    session.round();
    assertThat(consumer.position(ZERO)).isZero();
    assertThat(consumer.position(TWO)).isZero();
    // Else messages that are deleted before the first commit are not known to be lost.
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(0));
    assertThat(committed().get(TWO)).isEqualTo(new OffsetAndMetadata(0));
  }

  /** Kafka has deleted everything, and nothing comes any more. */
  @Test
  void messagesThatAreLostCountOnce() {
    ConsumerSession session = session("earliest");
    session.round();
    consumer.rebalance(List.of(ZERO));
    consumer.updateBeginningOffsets(Map.of(ZERO, 10L));
    consumer.updateEndOffsets(Map.of(ZERO, 10L));
    OffsetOutOfRangeException gone = new OffsetOutOfRangeException(Map.of(ZERO, 3L));
    consumer.setPollException(gone);
    session.round();
    assertThat(context.stats.lostMessages()).isEqualTo(7);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(10));
    assertThat(consumer.position(ZERO)).isEqualTo(10);
    // As if the commit had failed.
    consumer.rebalance(List.of(ONE));
    consumer.rebalance(List.of(ZERO));
    consumer.setPollException(gone);
    session.round();
    assertThat(context.stats.lostMessages()).isEqualTo(7);
    consumer.updateBeginningOffsets(Map.of(ZERO, 12L));
    consumer.setPollException(gone);
    session.round();
    assertThat(context.stats.lostMessages()).isEqualTo(9);
  }
}
