/**
 * A load generator for TSDs: metrics by tags, all at one timestamp, round after round. {@code
 * benchmarks/bin/load-generator} runs it against any TSD.
 */
package io.tsdbsuite.bench.load;
