package io.tsdbsuite.rollup.report;

import java.time.Instant;

/**
 * What a resumed run took over.
 *
 * @param report where it was read from
 * @param runs how many runs there were before this one
 * @param started when the first of them began
 * @param partitions that they had finished
 * @param books of those partitions
 */
public record EarlierRuns(String report, int runs, Instant started, int partitions, Books books) {}
