/** A TSD plugin that reports to the benchmarks how many points the TSD has stored. */
package io.tsdbsuite.bench.stored;
