/**
 * Tools for Spark jobs that know rollups: data broadcast to the executors, records pulled into a
 * shuffle, failures of Spark, storage and sinks as exit codes, and the start of Spark.
 */
@NullMarked
package io.tsdbsuite.rollup.spark;

import org.jspecify.annotations.NullMarked;
