package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.io.Serializable;

/**
 * What a task that ended in good order did.
 *
 * @param partition its index in the plan
 * @param books of this partition
 * @param sink what the sink must commit; null when the task stopped early
 * @param stopped whether more rows failed than are allowed, so that the rest was not read
 */
record TaskResult(int partition, Books books, SinkResult sink, boolean stopped)
    implements Serializable {}
