package io.tsdbsuite.rollup.rate;

/**
 * Permits of one task.
 *
 * @param permits messages that the task may send, at least 1
 * @param waitNanos nanoseconds from now until it may send the first of them
 */
public record Lease(long permits, long waitNanos) {}
