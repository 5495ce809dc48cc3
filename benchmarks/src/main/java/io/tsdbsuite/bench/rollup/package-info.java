/**
 * The benchmarks of rollup-job, {@link io.tsdbsuite.bench.rollup.RollupSuite} and {@link
 * io.tsdbsuite.bench.rollup.PlanSuite}, the programs that they run in JVMs of their own, and the
 * tables that these read.
 */
@NullMarked
package io.tsdbsuite.bench.rollup;

import org.jspecify.annotations.NullMarked;
