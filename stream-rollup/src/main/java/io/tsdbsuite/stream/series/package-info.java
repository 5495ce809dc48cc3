/**
 * The rollups of one series: points are put in the order of time, summed up bucket by bucket, and
 * emitted once the bucket is complete. Knows neither Flink nor Kafka.
 *
 * <p>{@link io.tsdbsuite.stream.series.SeriesAggregator} has the rules, {@link
 * io.tsdbsuite.stream.series.SeriesEntry} the bytes that are kept between two points. Source:
 * docs/stream-rollup.md.
 */
@NullMarked
package io.tsdbsuite.stream.series;

import org.jspecify.annotations.NullMarked;
