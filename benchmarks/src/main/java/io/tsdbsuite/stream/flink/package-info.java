/** Access for the benchmarks to package-private classes of stream-rollup's {@code flink}. */
@NullMarked
package io.tsdbsuite.stream.flink;

import org.jspecify.annotations.NullMarked;
