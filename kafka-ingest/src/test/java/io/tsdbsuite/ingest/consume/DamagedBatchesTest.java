package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class DamagedBatchesTest {
  private static final TopicPartition ONE = new TopicPartition("t", 1);
  private static final TopicPartition TEN = new TopicPartition("t", 10);
  private final KafkaException damagedBatch =
      new KafkaException(
          "Received exception when fetching the next record from t-10. If needed, please seek past"
              + " the record to continue consumption.",
          new KafkaException(
              "Record batch for partition t-10 at offset 7 is invalid, cause: wrong checksum"));

  private final GroupContext context =
      TestContexts.of(null, Clock.systemUTC(), new TestContexts.ManualTicker());

  @Test
  void namesThePartition() {
    List<TopicPartition> both = List.of(ONE, TEN);
    assertThat(DamagedBatches.partitionOf(damagedBatch, both)).isEqualTo(TEN);
    assertThat(DamagedBatches.partitionOf((KafkaException) damagedBatch.getCause(), both))
        .isEqualTo(TEN);
    assertThat(DamagedBatches.partitionOf(new KafkaException("t-10"), both)).isNull();
  }

  private MockConsumer<byte[], byte[]> consumer(ConsumerSession[] session) {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
    TestContexts.exists(consumer, "t", 1, 10);
    TestContexts.exists(consumer, "dead", 0);
    session[0] = new ConsumerSession("s", consumer, context, new MessageQueue());
    session[0].round();
    consumer.rebalance(List.of(ONE, TEN));
    consumer.updateEndOffsets(Map.of(ONE, 0L, TEN, 9L));
    consumer.seek(ONE, 0);
    consumer.seek(TEN, 7);
    consumer.setPollException(damagedBatch);
    return consumer;
  }

  @Test
  void theSecondTimeOnlyThePartitionStops() {
    ConsumerSession[] session = new ConsumerSession[1];
    consumer(session);
    // Another broker may have the batch whole: a new session.
    assertThatThrownBy(session[0]::round).isSameAs(damagedBatch);
    session[0].abandon();
    MockConsumer<byte[], byte[]> consumer = consumer(session);
    session[0].round();
    session[0].round();
    assertThat(consumer.paused()).containsExactly(TEN);
    assertThat(session[0].problem())
        .startsWith("t-10 has a damaged batch at offset 7")
        .endsWith("wrong checksum");
    session[0].onPartitionsRevoked(List.of(TEN));
    assertThat(session[0].problem()).isNull();
  }
}
