package io.tsdbsuite.quickstart.query;

/**
 * A point of an answer.
 *
 * @param time milliseconds since the epoch
 * @param value the value
 */
public record Point(long time, double value) {}
