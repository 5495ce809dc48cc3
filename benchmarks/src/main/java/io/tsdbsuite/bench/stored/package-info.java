/** A TSD plugin that reports the number of points that the TSD has stored to the benchmarks. */
@NullMarked
package io.tsdbsuite.bench.stored;

import org.jspecify.annotations.NullMarked;
