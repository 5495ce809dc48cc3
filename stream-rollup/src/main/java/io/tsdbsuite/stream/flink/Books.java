package io.tsdbsuite.stream.flink;

import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/**
 * The counts of one task, saved with its state. After a restart they continue; if the parallelism
 * changes, their sum over all tasks stays. For the task's thread.
 */
final class Books {
  /** Name of the group of metrics and prefix of the accumulators. */
  static final String GROUP = "stream_rollup";

  private final Count[] counts;
  private final long[] numbers = new long[Count.values().length];
  private final LongCounter[] totals;
  private final ListState<long[]> state;

  private Books(Count[] counts, ListState<long[]> state) {
    this.counts = counts;
    this.state = state;
    this.totals = new LongCounter[counts.length];
    Arrays.setAll(totals, i -> new LongCounter());
  }

  /** Reads the counts of before, and registers them as metrics and accumulators. */
  static Books open(FunctionInitializationContext context, RuntimeContext runtime, Count... counts)
      throws Exception {
    Books books =
        new Books(
            counts,
            context
                .getOperatorStateStore()
                .getListState(
                    new ListStateDescriptor<>(
                        "books", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)));
    for (long[] before : books.state.get()) {
      for (int i = 0; i < Math.min(before.length, books.numbers.length); i++) {
        books.numbers[i] += before[i];
      }
    }
    MetricGroup group = runtime.getMetricGroup().addGroup(GROUP);
    for (int i = 0; i < counts.length; i++) {
      int place = counts[i].place();
      group.gauge(counts[i].key(), (Gauge<Long>) () -> books.numbers[place]);
      runtime.addAccumulator(GROUP + "." + counts[i].key(), books.totals[i]);
    }
    books.publish();
    return books;
  }

  void add(Count count, long number) {
    numbers[count.place()] += number;
  }

  /** Saves the counts; part of a checkpoint. */
  void save() throws Exception {
    state.update(List.of(numbers.clone()));
    publish();
  }

  /** Brings the accumulators, which the job's result has, up to date: a stop ends with a save. */
  private void publish() {
    for (int i = 0; i < counts.length; i++) {
      totals[i].resetLocal();
      totals[i].add(numbers[counts[i].place()]);
    }
  }
}
