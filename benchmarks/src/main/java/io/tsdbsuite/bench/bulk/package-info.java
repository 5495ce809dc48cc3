/**
 * Benchmark of bulk-loader: the command as users start it, and its parts alone. {@code make bench-
 * load} writes docs/benchmarks.md.
 */
@NullMarked
package io.tsdbsuite.bench.bulk;

import org.jspecify.annotations.NullMarked;
