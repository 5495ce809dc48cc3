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

  private static long committed(MockConsumer<byte[], byte[]> consumer) {
    var offset = consumer.committed(Set.of(ZERO)).get(ZERO);
    return offset == null ? 0 : offset.offset();
  }
}
