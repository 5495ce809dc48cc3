/**
 * Load generator for TSDs: connections, rounds and books of the points of {@code synthetic.round}.
 * {@code benchmarks/bin/load-generator} runs it against any TSD.
 */
@NullMarked
package io.tsdbsuite.bench.load;

import org.jspecify.annotations.NullMarked;
