/** Access for the benchmarks to package-private classes of rollup-job's {@code uid}. */
@NullMarked
package io.tsdbsuite.rollup.uid;

import org.jspecify.annotations.NullMarked;
