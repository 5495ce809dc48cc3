package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task that ended without an exception.
 *
 * @param partition its index in the plan
 * @param books of this partition
 * @param sink result for the sink to commit; null when the task stopped early
 */
record TaskResult(int partition, Books books, @Nullable SinkResult sink) implements Serializable {
  /** Whether the task stopped early because failures exceeded a limit. */
  boolean stopped() {
    return sink == null;
  }
}
