package io.tsdbsuite.stream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class UnreadPartitionsTest {
  private static final TopicPartition READ = new TopicPartition("points", 0);
  private static final TopicPartition STANDS = new TopicPartition("points", 1);
  private static final long LIMIT = 600_000;

  private final UnreadPartitions partitions = new UnreadPartitions(LIMIT);
  private final Map<TopicPartition, Long> committed = new HashMap<>(Map.of(READ, 10L, STANDS, 20L));
  private final Map<TopicPartition, Long> end = new HashMap<>(Map.of(READ, 15L, STANDS, 21L));
  private long now = 1_763_510_400_000L;

  private List<TopicPartition> later() {
    now += LIMIT / 5;
    return partitions.look(committed, end, now);
  }

  private void read(TopicPartition partition) {
    committed.merge(partition, 5L, Long::sum);
    end.merge(partition, 5L, Long::sum);
  }

  @Test
  void aPartitionThatStandsWhileOthersAreReadIsNamedUntilItIsRead() {
    assertThat(later()).isEmpty();
    for (int i = 0; i < 5; i++) {
      read(READ);
      end.merge(STANDS, 3L, Long::sum);
      assertThat(later()).isEmpty();
    }
    read(READ);
    assertThat(later()).containsExactly(STANDS);
    assertThat(later()).containsExactly(STANDS);
    read(STANDS);
    assertThat(later()).isEmpty();
  }

  /** Also one of which no offset was ever committed. */
  @Test
  void aPartitionThatWasNeverReadIsNamed() {
    committed.remove(STANDS);
    for (int i = 0; i < 6; i++) {
      later();
      read(READ);
      end.merge(STANDS, 3L, Long::sum);
    }
    assertThat(later()).containsExactly(STANDS);
  }

  /** A message that came a moment ago may be read in a moment. */
  @Test
  void aPartitionWithAMessageNowAndThenIsNotNamed() {
    for (int i = 0; i < 20; i++) {
      read(READ);
      if (i % 6 == 4) {
        end.merge(STANDS, 1L, Long::sum);
      } else if (i % 6 == 5) {
        committed.put(STANDS, end.get(STANDS));
      }
      assertThat(later()).isEmpty();
    }
  }

  /** The last offset is the end of a transaction. */
  @Test
  void aPartitionWithoutNewMessagesIsNotNamed() {
    for (int i = 0; i < 10; i++) {
      read(READ);
      assertThat(later()).isEmpty();
    }
  }

  /** Then the job stands or is down, which other metrics tell. */
  @Test
  void whereNoneIsReadNoneIsNamed() {
    for (int i = 0; i < 10; i++) {
      end.replaceAll((partition, offset) -> offset + 5);
      assertThat(later()).isEmpty();
    }
  }
}
