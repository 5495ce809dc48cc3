/**
 * The Flink job: source, state, timers, sinks.
 *
 * <pre>
 *   Kafka ── PointDeserializer ── GapDetector ──keyBy hash── RollupFunction ──┬── KafkaSink
 *                                     └───── missed times, broadcast ──┘      └ WatermarkFunction
 * </pre>
 *
 * <p>Uses only what Flink 1.20 and 2.2 have in common. {@link
 * io.tsdbsuite.stream.flink.StreamTopology} builds the job.
 */
@NullMarked
package io.tsdbsuite.stream.flink;

import org.jspecify.annotations.NullMarked;
