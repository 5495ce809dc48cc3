/** Access for the benchmarks to package-private classes of rollup-job's {@code compute}. */
@NullMarked
package io.tsdbsuite.rollup.compute;

import org.jspecify.annotations.NullMarked;
