package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // MockConsumer's other constructor is not in all of its versions.
class LagMeterTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);

  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(OffsetResetStrategy.NONE);

  private void exists(String topic, int... partitions) {
    TestContexts.exists(consumer, topic, partitions);
  }

  private void measure(LagMeter meter, long afterMillis) {
    ticker.add(afterMillis);
    meter.measureIfDue(Map.of(), Collections.emptySet());
  }

  @Test
  void looksUpTheTopicsThatItWritesTo() {
    LagMeter meter =
        new LagMeter(
            consumer, TestContexts.of(null, Clock.systemUTC(), ticker, "g.requeueTopic", "again"));
    exists("t", 0);
    measure(meter, 1_000);
    assertThat(meter.problem()).isEqualTo("topics that do not exist: [again, dead]");
    exists("again", 0);
    measure(meter, 1_000);
    assertThat(meter.problem()).isEqualTo("topics that do not exist: [dead]");
    exists("dead", 0);
    measure(meter, 1_000);
    assertThat(meter.problem()).isNull();
  }

  @Test
  void noticesThatATopicWasDeleted() {
    LagMeter meter = new LagMeter(consumer, TestContexts.of(null, Clock.systemUTC(), ticker));
    exists("t", 0);
    exists("dead", 0);
    measure(meter, 1_000);
    assertThat(meter.problem()).isNull();
    exists("t");
    measure(meter, LagMeter.FOUND_MILLIS);
    assertThat(meter.problem()).isEqualTo("topics that do not exist: [t]");
  }

  @Test
  void countsFromTheFirstMessageThatIsNotStored() {
    GroupContext context = TestContexts.of(null, Clock.systemUTC(), ticker);
    LagMeter meter = new LagMeter(consumer, context);
    exists("t", 0);
    exists("dead", 0);
    consumer.assign(List.of(ZERO));
    consumer.seek(ZERO, 3);
    consumer.updateEndOffsets(Map.of(ZERO, 7L));
    context.lag.assigned(ZERO);
    ticker.add(1_000);
    meter.measureIfDue(Map.of(ZERO, new PartitionProgress(ZERO, 0)), Collections.emptySet());
    assertThat(context.lag.worst()).hasValue(4);
  }
}
