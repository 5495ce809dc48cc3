/**
 * Runs rollups and comparisons on Spark: loads the snapshots, plans the tasks, runs them on the
 * executors, and collects their books into a report. Called by {@code cli}; calls all other
 * packages of the module.
 */
package io.tsdbsuite.rollup.job;
