/**
 * The rollup job beside the stock way of reading a snapshot. A part measures one thing and reports
 * it; {@link io.tsdbsuite.bench.rollup.RollupBench} knows the parts by name.
 */
package io.tsdbsuite.bench.rollup;
