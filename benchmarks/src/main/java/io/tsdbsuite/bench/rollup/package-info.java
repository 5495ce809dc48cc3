/**
 * Benchmark of rollup-job against the stock way of reading a snapshot. Each part measures one thing
 * and reports it; {@link io.tsdbsuite.bench.rollup.RollupBench} knows the parts by name.
 */
@NullMarked
package io.tsdbsuite.bench.rollup;

import org.jspecify.annotations.NullMarked;
