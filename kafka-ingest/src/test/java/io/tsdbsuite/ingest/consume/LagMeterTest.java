package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
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

  /** A consumer of committed messages is at its end before the first open transaction. */
  @Test
  void messagesBehindAnOpenTransactionAreUnread() {
    GroupContext context =
        TestContexts.of(
            null,
            Clock.systemUTC(),
            ticker,
            new TestContexts.NoTransactions() {
              @Override
              Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
                return Map.of(ZERO, 9L);
              }
            });
    LagMeter meter = new LagMeter(consumer, context);
    exists("t", 0);
    exists("dead", 0);
    consumer.assign(List.of(ZERO));
    consumer.seek(ZERO, 5);
    consumer.updateEndOffsets(Map.of(ZERO, 5L));
    context.lag.assigned(ZERO);
    context.storedTimes.assigned(ZERO);
    for (int i = 0; i < 5; i++) {
      ticker.add(5_000);
      meter.measureIfDue(Map.of(ZERO, new PartitionProgress(ZERO, 0)), Collections.emptySet());
    }
    String why = ": a transaction at offset 5 has not ended";
    assertThat(context.lag.behind(4)).isNull();
    assertThat(context.lag.behind(3)).isEqualTo("t-0 is 4 messages behind, 3 are allowed" + why);
    assertThat(context.lag.stalled(10_000))
        .isEqualTo("t-0 has stalled at offset 5 for 20 s, 4 messages before its end" + why);
    assertThat(context.storedTimes.notStoredBefore(0)).describedAs("for REPAIR").isNotNull();
  }

  /** The connection of the other questions: that of the consumer answers. */
  @Test
  void brokersThatDoNotAnswerFreezeNoLag() {
    GroupContext context =
        TestContexts.of(
            null,
            Clock.systemUTC(),
            ticker,
            new TestContexts.NoTransactions() {
              @Override
              Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
                throw new TimeoutException("nothing");
              }
            });
    LagMeter meter = new LagMeter(consumer, context);
    exists("t", 0);
    exists("dead", 0);
    consumer.assign(List.of(ZERO));
    consumer.seek(ZERO, 5);
    consumer.updateEndOffsets(Map.of(ZERO, 9L));
    context.lag.assigned(ZERO);
    context.storedTimes.assigned(ZERO);
    Map<TopicPartition, PartitionProgress> progress = Map.of(ZERO, new PartitionProgress(ZERO, 0));
    ticker.add(1_000);
    meter.measureIfDue(progress, Collections.emptySet());
    assertThat(context.lag.worst()).hasValue(4);
    assertThat(meter.problem()).describedAs("it may be answered the next time").isNull();
    consumer.updateEndOffsets(Map.of(ZERO, 5L));
    ticker.add(5_000);
    meter.measureIfDue(progress, Collections.emptySet());
    assertThat(context.lag.worst()).hasValue(0);
    assertThat(meter.problem()).startsWith("the ends of the partitions are not known: ");
    assertThat(context.storedTimes.notStoredBefore(0)).describedAs("for REPAIR").isNotNull();
  }

  /** Else the TSD would be ready for a moment, twice a second. */
  @Test
  void aProblemThatIsFoundAgainIsToldMeanwhile() {
    List<String> meanwhile = new ArrayList<>();
    LagMeter[] meter = new LagMeter[1];
    GroupContext context =
        TestContexts.of(
            null,
            Clock.systemUTC(),
            ticker,
            new TestContexts.NoTransactions() {
              @Override
              Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
                meanwhile.add(meter[0].problem());
                throw new ClusterAuthorizationException("no");
              }
            });
    meter[0] = new LagMeter(consumer, context);
    exists("t", 0);
    exists("dead", 0);
    consumer.assign(List.of(ZERO));
    consumer.seek(ZERO, 5);
    consumer.updateEndOffsets(Map.of(ZERO, 9L));
    context.lag.assigned(ZERO);
    for (int i = 0; i < 2; i++) {
      ticker.add(5_000);
      meter[0].measureIfDue(Map.of(ZERO, new PartitionProgress(ZERO, 0)), Collections.emptySet());
    }
    assertThat(meanwhile).hasSize(2);
    assertThat(meanwhile.get(1)).isEqualTo(meter[0].problem()).isNotNull();
    ticker.add(5_000);
    meter[0].measureIfDue(Map.of(), Collections.emptySet());
    assertThat(meter[0].problem()).describedAs("without a partition").isNull();
  }

  @Test
  void anUnknownTypeOfTimesHoldsBackNoMeasurement() {
    GroupContext context =
        TestContexts.of(
            null,
            Clock.systemUTC(),
            ticker,
            new TestContexts.NoTransactions() {
              @Override
              String timestampType(String topic) {
                throw new TimeoutException("nothing");
              }
            },
            "g.consumerType",
            "REPAIR",
            "repairTtl",
            "forever");
    LagMeter meter = new LagMeter(consumer, context);
    exists("t", 0);
    exists("dead", 0);
    consumer.assign(List.of(ZERO));
    consumer.seek(ZERO, 5);
    consumer.updateEndOffsets(Map.of(ZERO, 9L));
    context.lag.assigned(ZERO);
    ticker.add(1_000);
    meter.measureIfDue(Map.of(ZERO, new PartitionProgress(ZERO, 0)), Collections.emptySet());
    assertThat(context.lag.worst()).hasValue(4);
  }

  @Test
  void aTopicOfRequestsWithTimesOfProducersIsToldUntilItIsChanged() {
    String[] type = {"CreateTime"};
    GroupContext context =
        TestContexts.of(
            null,
            Clock.systemUTC(),
            ticker,
            new TestContexts.NoTransactions() {
              @Override
              String timestampType(String topic) {
                assertThat(topic).isEqualTo("t");
                return type[0];
              }
            },
            "g.consumerType",
            "REPAIR",
            "repairTtl",
            "forever");
    LagMeter meter = new LagMeter(consumer, context);
    exists("t", 0);
    exists("dead", 0);
    measure(meter, 1_000);
    assertThat(context.warnings.get("t"))
        .startsWith("topic t must have message.timestamp.type=LogAppendTime")
        .endsWith("found CreateTime");
    assertThat(meter.problem()).isNull();
    type[0] = "LogAppendTime";
    measure(meter, LagMeter.FOUND_MILLIS);
    assertThat(context.warnings).isEmpty();
  }
}
