package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OffsetCommitterTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);

  /** A clock that is set back, as by NTP or by hand, must not be asked. */
  @Test
  void commitsEverySecondOfTimeThatNeverStepsBack() {
    TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
    consumer.assign(List.of(ZERO));
    OffsetCommitter commits = new OffsetCommitter("c", consumer, new MonotonicClock(ticker));
    PartitionProgress progress = new PartitionProgress(ZERO, 0);
    for (int i = 0; i < 3; i++) {
      long sequence = progress.add(i);
      progress.start(0, null, 0);
      progress.finish(sequence, 0);
      commits.commitIfDue(List.of(progress));
      assertThat(committed(consumer)).isEqualTo(i);
      ticker.add(1_000);
      commits.commitIfDue(List.of(progress));
      assertThat(committed(consumer)).isEqualTo(i + 1);
    }
  }

  /** Offsets behind the last message are those of transaction markers. */
  @Test
  void commitsThePositionWhenAllMessagesAreFinished() {
    TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
    consumer.assign(List.of(ZERO));
    OffsetCommitter commits = new OffsetCommitter("c", consumer, new MonotonicClock(ticker));
    PartitionProgress progress = new PartitionProgress(ZERO, 0);
    long first = progress.add(3);
    long second = progress.add(5);
    progress.start(0, null, 0);
    progress.start(0, null, 0);
    consumer.seek(ZERO, 7);
    ticker.add(1_000);
    commits.commitIfDue(List.of(progress));
    assertThat(committed(consumer)).isZero();
    progress.finish(first, 0);
    ticker.add(1_000);
    commits.commitIfDue(List.of(progress));
    assertThat(committed(consumer)).isEqualTo(4);
    progress.finish(second, 0);
    ticker.add(1_000);
    commits.commitIfDue(List.of(progress));
    assertThat(committed(consumer)).isEqualTo(7);
    progress.add(9);
    progress.start(2, null, 0);
    consumer.seek(ZERO, 11);
    progress.close();
    ticker.add(1_000);
    commits.commitIfDue(List.of(progress));
    assertThat(committed(consumer)).describedAs("a message is not finished").isEqualTo(7);
  }

  private static long committed(MockConsumer<byte[], byte[]> consumer) {
    var offset = consumer.committed(Set.of(ZERO)).get(ZERO);
    return offset == null ? 0 : offset.offset();
  }
}
