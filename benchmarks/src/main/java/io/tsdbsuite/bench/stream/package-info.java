/**
 * The benchmark of stream-rollup: CPU of a point, heap and checkpoint of a series, beside a
 * topology of Kafka Streams' DSL.
 */
@NullMarked
package io.tsdbsuite.bench.stream;

import org.jspecify.annotations.NullMarked;
