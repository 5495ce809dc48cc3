/** Results of the benchmarks' sinks, as rollup-job's {@code sink} has them. */
@NullMarked
package io.tsdbsuite.rollup.sink;

import org.jspecify.annotations.NullMarked;
