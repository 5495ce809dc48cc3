package io.tsdbsuite.bench.rollup.job;

import java.util.Map;

/**
 * One run of the job or of the stock way.
 *
 * @param usage from its begin to its end
 * @param rollUp of it what passed while Spark ran the tasks
 * @param points that were aggregated
 * @param messages that were acknowledged
 * @param phases seconds by the job's own phases
 */
record JobRun(Usage usage, Usage rollUp, long points, long messages, Map<String, Double> phases) {}
