package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupLagTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);

  private final GroupLag lag = new GroupLag();

  @BeforeEach
  void assign() {
    lag.assigned(ZERO);
  }

  @Test
  void aPartitionThatStandsStillWithMessagesToReadIsTold() {
    assertThat(lag.stalled(3_000)).describedAs("not measured").isNull();
    lag.measured(ZERO, 10, 5, false, 10_000);
    lag.measured(ZERO, 10, 6, false, 13_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 10, 6, false, 13_001);
    assertThat(lag.stalled(3_000))
        .isEqualTo("t-0 has stalled at offset 10 for 3 s, 6 messages before its end");
    lag.measured(ZERO, 11, 5, false, 14_000);
    lag.measured(ZERO, 11, 5, false, 17_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 11, 5, false, 18_000);
    assertThat(lag.stalled(3_000)).isNotNull();
    assertThat(lag.stalledMillis()).isEqualTo(4_000);
    lag.measured(ZERO, 16, 0, false, 19_000);
    assertThat(lag.stalledMillis()).isZero();
    lag.revoked(ZERO);
    assertThat(lag.stalled(3_000)).isNull();
  }

  @Test
  void onesThatHaveNothingToDoStandStill() {
    lag.measured(ZERO, 10, 0, false, 1_000);
    lag.measured(ZERO, 10, 0, false, 9_000);
    // Its first message after a long time has just come.
    lag.measured(ZERO, 10, 1, false, 10_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 10, 1, true, 15_000);
    assertThat(lag.stalled(3_000)).describedAs("its message is not due").isNull();
    assertThat(lag.stalledMillis()).isZero();
  }

  /** Else an outage of Kafka would take all TSDs from their load balancer. */
  @Test
  void nothingIsSaidOfTheTimeWithoutKafka() {
    lag.measured(ZERO, 10, 5, false, 1_000);
    lag.measured(ZERO, 10, 5, false, 900_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 10, 5, false, 905_000);
    assertThat(lag.stalled(3_000)).isNotNull();
  }
}
