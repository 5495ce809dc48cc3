/** A TSD plugin that reports to the benchmarks how many points the TSD has stored. */
@NullMarked
package io.tsdbsuite.bench.stored;

import org.jspecify.annotations.NullMarked;
