package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StoredTimesTest {
  private static final TopicPartition ONE = new TopicPartition("t", 1);
  private static final TopicPartition TWO = new TopicPartition("t", 2);

  private final StoredTimes times = new StoredTimes();

  private void assertStoredUpTo(long millis) {
    assertThat(times.notStoredBefore(millis)).isNull();
    assertThat(times.notStoredBefore(millis + 1)).startsWith("t-");
  }

  @Test
  void aTimeIsReachedWhenItsEndIs() {
    assertThat(times.notStoredBefore(Long.MAX_VALUE)).as("no partition").isNull();
    times.assigned(ONE);
    assertThat(times.notStoredBefore(0))
        .isEqualTo("t-1 is stored up to an unknown time, not to 1970-01-01T00:00:00Z");
    // Ten messages; five of them are stored, then all.
    times.measured(ONE, 0, 10, 1000);
    assertThat(times.notStoredBefore(0)).isNotNull();
    times.measured(ONE, 5, 20, 2000);
    assertThat(times.notStoredBefore(0)).isNotNull();
    times.measured(ONE, 10, 30, 3000);
    assertStoredUpTo(1000);
    // The end of 2000 was not kept; that of 3000 was.
    times.measured(ONE, 29, 40, 4000);
    assertStoredUpTo(1000);
    times.measured(ONE, 30, 50, 5000);
    assertStoredUpTo(3000);
    times.measured(ONE, 50, 50, 6000);
    assertStoredUpTo(6000);
    // Nothing comes.
    times.measured(ONE, 50, 50, 7000);
    assertStoredUpTo(7000);
    times.measured(ONE, 50, 51, 8000);
    assertStoredUpTo(7000);
    assertThat(times.notStoredBefore(7001)).contains("t-1", "1970-01-01T00:00:07Z");
  }

  @Test
  void theSlowestPartitionCounts() {
    times.assigned(ONE);
    times.assigned(TWO);
    times.measured(ONE, 5, 5, 1000);
    assertThat(times.notStoredBefore(0)).startsWith("t-2");
    times.measured(TWO, 5, 5, 500);
    assertStoredUpTo(500);
    times.revoked(TWO);
    assertStoredUpTo(1000);
    // It comes back, and its end is not known any more.
    times.assigned(TWO);
    assertThat(times.notStoredBefore(0)).startsWith("t-2");
    times.revoked(TWO);
    times.measured(TWO, 5, 5, 500);
    assertStoredUpTo(1000);
  }
}
