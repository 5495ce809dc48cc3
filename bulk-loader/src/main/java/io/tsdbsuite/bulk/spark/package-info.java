/**
 * Runs a load on Spark: the same reading, row building and HFile writing as on one machine, with
 * Spark's shuffle in between. Only this package needs Spark.
 */
@NullMarked
package io.tsdbsuite.bulk.spark;

import org.jspecify.annotations.NullMarked;
