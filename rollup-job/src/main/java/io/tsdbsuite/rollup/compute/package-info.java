/**
 * Computes rollups: reads the rows of a partition, selects metrics, sums up the points by hour and
 * by day, and hands the rollups to a sink. The packages {@code job}, {@code changed} and {@code
 * verify.job} use it in their Spark tasks.
 */
@NullMarked
package io.tsdbsuite.rollup.compute;

import org.jspecify.annotations.NullMarked;
