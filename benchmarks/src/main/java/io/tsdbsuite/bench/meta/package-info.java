/**
 * The meta cache of tsuid-ratelimiter against the published plugin's way; {@code make bench-meta}
 * writes docs/benchmarks.md.
 */
package io.tsdbsuite.bench.meta;
