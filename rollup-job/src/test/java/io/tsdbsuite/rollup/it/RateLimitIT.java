package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code --max-messages-per-second} is the job's limit, whatever number of executors it gets. */
@Tag("slow")
class RateLimitIT {
  private static final int LIMIT = 100;

  /** Milliseconds; permits of the last 0.1 s may come at once, and tasks keep some for as long. */
  private static final long SLACK = 300;

  /** Milliseconds. Tasks that start, and a busy machine, leave gaps between such times. */
  private static final long STEADY = 4000;

  private static final long TO = SmallData.FROM + SmallData.DAY / 2;

  private final SmallData data = SmallData.get();

  /** As on EMR: nothing says how many executors there will be. */
  @Test
  void isReachedAndNotExceededWithDynamicAllocation() throws Exception {
    RollupTopic topic = RollupTopic.create("limited");
    var expected = data.answers(SmallData.FROM, TO);
    List<String> args = new ArrayList<>(List.of(data.input(SharedStack.get().hbase().rootDir())));
    args.addAll(List.of(SmallData.window(SmallData.FROM, TO)));
    args.addAll(List.of(topic.options()));
    args.addAll(List.of("--max-messages-per-second=" + LIMIT, "--partition-size=0.01"));
    try (SparkSubmit submit =
        new SparkSubmit(TestFiles.directory("limited"))
            .conf("spark.dynamicAllocation.enabled", "true")
            .conf("spark.dynamicAllocation.shuffleTracking.enabled", "true")
            .conf("spark.dynamicAllocation.schedulerBacklogTimeout", "1s")
            .start("local-cluster[3,1,640]", args)) {
      assertThat(submit.await()).as(submit.output()).isZero();
    }
    topic.requireAll(expected);
    long[] times = topic.records().stream().mapToLong(ConsumerRecord::timestamp).sorted().toArray();
    assertThat(mostWithin(STEADY, times))
        .as("messages within %d ms", STEADY)
        .isGreaterThan((int) (0.8 * LIMIT * STEADY / 1000));
    assertNeverExceeded(times);
  }

  private static void assertNeverExceeded(long[] times) {
    for (long window : new long[] {1000, 2000, STEADY}) {
      assertThat(mostWithin(window, times))
          .as("messages within %d ms", window)
          .isLessThanOrEqualTo((int) (LIMIT * (window + SLACK) / 1000));
    }
  }

  private static int mostWithin(long window, long[] times) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < times.length; last++) {
      while (times[last] - times[first] > window) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
