/**
 * What OpenTSDB's tracking and counting of series cost a TSD, and what they cost with
 * tsuid-ratelimiter; {@code make load-test} writes docs/benchmarks.md.
 */
package io.tsdbsuite.bench.loadtest;
