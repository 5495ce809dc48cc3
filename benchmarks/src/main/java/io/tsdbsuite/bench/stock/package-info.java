/**
 * The baseline from Kafka to the TSD, written after opentsdb-rpc-kafka, which does not work with
 * current brokers.
 */
@NullMarked
package io.tsdbsuite.bench.stock;

import org.jspecify.annotations.NullMarked;
