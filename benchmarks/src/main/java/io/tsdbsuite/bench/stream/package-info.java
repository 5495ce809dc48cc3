/**
 * The benchmark of stream-rollup: CPU, memory, restarts and bursts, beside a topology of Kafka
 * Streams' DSL.
 */
@NullMarked
package io.tsdbsuite.bench.stream;

import org.jspecify.annotations.NullMarked;
