/**
 * Runs rollups on Spark: loads the snapshots, plans the tasks, runs them on the executors, commits
 * the sinks, and collects the books into a report that an interrupted run resumes from. Called by
 * {@code cli}.
 */
@NullMarked
package io.tsdbsuite.rollup.job;

import org.jspecify.annotations.NullMarked;
