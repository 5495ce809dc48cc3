/**
 * Benchmark of the ways from Kafka to HBase through a real TSD; {@code make bench-ingest} writes
 * docs/benchmarks.md.
 */
package io.tsdbsuite.bench.ingest;
