/**
 * Destinations of rollups: the sink interfaces, a Kafka topic, and JSON lines in a directory. A
 * factory checks the destination on the driver and opens one sink for each task attempt. Writing
 * HFiles is in the package {@code hfile}.
 */
@NullMarked
package io.tsdbsuite.rollup.sink;

import org.jspecify.annotations.NullMarked;
