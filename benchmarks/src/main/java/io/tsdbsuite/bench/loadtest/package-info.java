/**
 * Load test of the cost of tracking and counting series, with OpenTSDB's own code and with tsuid-
 * ratelimiter; {@code make load-test} writes docs/benchmarks.md.
 */
@NullMarked
package io.tsdbsuite.bench.loadtest;

import org.jspecify.annotations.NullMarked;
