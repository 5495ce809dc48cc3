/** Results of the benchmarks' sinks, as rollup-job's {@code sink} has them. */
package io.tsdbsuite.rollup.sink;
