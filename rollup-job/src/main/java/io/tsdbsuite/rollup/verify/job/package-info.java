/**
 * Runs a comparison on Spark: computes rollups from the raw snapshot, reads the stored ones, joins
 * both through a shuffle, and compares them by the package {@code verify}. Called by {@code cli}.
 */
package io.tsdbsuite.rollup.verify.job;
