/**
 * Runs a comparison on Spark: computes rollups from the raw snapshot, reads the stored ones, joins
 * both through a shuffle, and compares them by the package {@code verify}. Called by {@code cli}.
 */
@NullMarked
package io.tsdbsuite.rollup.verify.job;

import org.jspecify.annotations.NullMarked;
