package io.tsdbsuite.rollup.sink;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The books of one finished task attempt.
 *
 * @param partition the task's partition
 * @param points emitted points
 * @param due messages, lines or cells that were made of the points
 * @param messages acknowledged messages or lines
 * @param file URI of the file to commit; null if there is none
 */
public record SinkResult(int partition, long points, long due, long messages, @Nullable String file)
    implements Serializable {}
