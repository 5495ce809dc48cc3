/**
 * The command line: {@link io.tsdbsuite.stream.cli.StreamMain} reads the options, asks Kafka for
 * the topics and offsets, and starts the job on a cluster or in its own JVM.
 */
@NullMarked
package io.tsdbsuite.stream.cli;

import org.jspecify.annotations.NullMarked;
