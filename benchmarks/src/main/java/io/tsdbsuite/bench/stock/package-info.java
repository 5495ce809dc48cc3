/**
 * TSD plugins of the benchmarks: the baseline from Kafka to the TSD, written after
 * opentsdb-rpc-kafka, which does not work with current brokers; and one that reports stored points
 * and changes keys of a running TSD.
 */
@NullMarked
package io.tsdbsuite.bench.stock;

import org.jspecify.annotations.NullMarked;
