/**
 * Benchmark of the meta cache of tsuid-ratelimiter against the published plugin; {@code make bench-
 * meta} writes docs/benchmarks.md.
 */
@NullMarked
package io.tsdbsuite.bench.meta;

import org.jspecify.annotations.NullMarked;
