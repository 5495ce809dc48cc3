/**
 * Runs Spark jobs whose results come to the driver one by one, and tells why they failed. No class
 * of another package needs Spark.
 */
@NullMarked
package io.tsdbsuite.job.spark;

import org.jspecify.annotations.NullMarked;
