package io.tsdbsuite.bench.rollup.job;

import java.util.Map;

/**
 * One run of the job or of the stock job.
 *
 * @param usage usage of the whole run
 * @param rollUp usage while Spark ran the tasks
 * @param points aggregated points
 * @param messages acknowledged messages
 * @param phases durations of the job's phases, seconds
 */
record JobRun(Usage usage, Usage rollUp, long points, long messages, Map<String, Double> phases) {}
