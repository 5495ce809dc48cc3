/**
 * Starts and controls real HBase, TSD, Kafka, S3 and Flink servers on loopback, for tests and
 * demos. Each server runs in its own JVM and ends with the test. See docs/testkit.md.
 */
@NullMarked
package io.tsdbsuite.testkit;

import org.jspecify.annotations.NullMarked;
