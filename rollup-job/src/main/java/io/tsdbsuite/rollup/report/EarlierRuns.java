package io.tsdbsuite.rollup.report;

import java.time.Instant;

/**
 * The state that a resumed run took over.
 *
 * @param report name of the report with the state
 * @param runs number of runs before this one
 * @param started start of the first of them
 * @param partitions number of partitions that they finished
 * @param books of those partitions
 */
public record EarlierRuns(String report, int runs, Instant started, int partitions, Books books) {}
