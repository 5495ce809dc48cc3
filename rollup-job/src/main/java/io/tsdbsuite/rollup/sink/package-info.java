/**
 * Where rollups go: what sinks are, and those of a Kafka topic and of JSON lines in a directory.
 */
package io.tsdbsuite.rollup.sink;
