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
    lag.measured(ZERO, 10, 5, false, false, 10_000);
    lag.measured(ZERO, 10, 6, false, false, 13_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 10, 6, false, false, 13_001);
    assertThat(lag.stalled(3_000))
        .isEqualTo("t-0 has stalled at offset 10 for 3 s, 6 messages before its end");
    lag.measured(ZERO, 11, 5, false, false, 14_000);
    lag.measured(ZERO, 11, 5, false, false, 17_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 11, 5, false, false, 18_000);
    assertThat(lag.stalled(3_000)).isNotNull();
    assertThat(lag.stalledMillis()).isEqualTo(4_000);
    lag.measured(ZERO, 16, 0, false, false, 19_000);
    assertThat(lag.stalledMillis()).isZero();
    lag.revoked(ZERO);
    assertThat(lag.stalled(3_000)).isNull();
  }

  @Test
  void onesThatHaveNothingToDoStandStill() {
    lag.measured(ZERO, 10, 0, false, false, 1_000);
    lag.measured(ZERO, 10, 0, false, false, 9_000);
    // Its first message after a long time has just come.
    lag.measured(ZERO, 10, 1, false, false, 10_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 10, 1, true, false, 15_000);
    assertThat(lag.stalled(3_000)).describedAs("its message is not due").isNull();
    assertThat(lag.stalledMillis()).isZero();
  }

  /** Else an outage of Kafka would take all TSDs from their load balancer. */
  @Test
  void nothingIsSaidOfTheTimeWithoutKafka() {
    lag.measured(ZERO, 10, 5, false, false, 1_000);
    lag.measured(ZERO, 10, 5, false, false, 900_000);
    assertThat(lag.stalled(3_000)).isNull();
    lag.measured(ZERO, 10, 5, false, false, 905_000);
    assertThat(lag.stalled(3_000)).isNotNull();
  }

  /** Sessions that end by errors: a message that the writing thread cannot handle. */
  @Test
  void sessionsThatBeginAtTheSameOffsetDoNotHideAStall() {
    long now = 1_000;
    for (int session = 0; session < 200; session++) {
      lag.measured(ZERO, 10, 7, false, false, now);
      // Stored, but never committed.
      lag.measured(ZERO, 12, 5, false, false, now + 500);
      assertThat(lag.stalledMillis()).describedAs("progress").isZero();
      lag.revoked(ZERO);
      assertThat(lag.stalledMillis()).describedAs("not assigned to this TSD").isZero();
      now += 5_000;
      lag.assigned(ZERO);
      assertThat(lag.stalledMillis()).describedAs("not measured").isZero();
    }
    lag.measured(ZERO, 10, 7, false, false, now);
    assertThat(lag.stalledMillis()).isEqualTo(1_000_000);
    assertThat(lag.stalled(900_000)).contains("t-0 has stalled at offset 10 for 1000 s");
    lag.revoked(ZERO);
    lag.assigned(ZERO);
    lag.measured(ZERO, 11, 6, false, false, now + 5_000);
    assertThat(lag.stalledMillis()).describedAs("another offset").isZero();
    lag.revoked(ZERO);
    lag.assigned(ZERO);
    lag.measured(ZERO, 11, 6, false, false, now + 10_000);
    assertThat(lag.stalledMillis()).isEqualTo(5_000);
  }

  @Test
  void anotherTsdsTimeIsNoStall() {
    lag.measured(ZERO, 10, 5, false, false, 1_000);
    lag.measured(ZERO, 10, 5, false, false, 5_000);
    lag.revoked(ZERO);
    assertThat(lag.stalled(3_000)).describedAs("another TSD has it").isNull();
    assertThat(lag.partitions()).isEmpty();
    lag.assigned(ZERO);
    lag.measured(ZERO, 14, 1, false, false, 20_000);
    assertThat(lag.stalledMillis()).isZero();
    lag.revoked(ZERO);
    lag.assigned(ZERO);
    lag.measured(ZERO, 14, 1, false, false, 900_000);
    assertThat(lag.stalledMillis()).describedAs("not known for so long").isZero();
  }

  @Test
  void timeWithoutMessagesToReadIsNoStallOfALaterSession() {
    lag.measured(ZERO, 10, 0, false, false, 1_000);
    lag.measured(ZERO, 10, 1, false, false, 50_000);
    lag.revoked(ZERO);
    lag.assigned(ZERO);
    lag.measured(ZERO, 10, 1, false, false, 55_000);
    assertThat(lag.stalledMillis()).isEqualTo(5_000);
  }
}
