/**
 * What the benchmark of rollup-job runs in JVMs of their own: the whole job on Spark, the stock way
 * to the same, and the dictionary of UIDs.
 */
package io.tsdbsuite.bench.rollup.job;
