/**
 * Benchmark of the ways from Kafka to HBase through a real TSD; {@code make bench-ingest} writes
 * docs/benchmarks.md.
 */
@NullMarked
package io.tsdbsuite.bench.ingest;

import org.jspecify.annotations.NullMarked;
