/**
 * A load on a cluster: the same reading, building and HFile writing, with Spark's shuffle between
 * them. Only classes of this package need Spark.
 */
package io.tsdbsuite.bulk.spark;
