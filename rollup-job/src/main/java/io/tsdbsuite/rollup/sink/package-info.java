/** Where rollups go: a Kafka topic, or JSON lines in a directory. */
package io.tsdbsuite.rollup.sink;
