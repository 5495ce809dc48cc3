package io.tsdbsuite.rollup.rate;

/**
 * Permits of one task.
 *
 * @param permits messages that the task may send, at least 1
 * @param waitNanos nanoseconds from now until the task may send the first message
 */
public record Lease(long permits, long waitNanos) {}
