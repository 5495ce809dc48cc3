/**
 * Programs that the benchmark of rollup-job runs in JVMs of their own: the whole job on Spark, the
 * stock way with the same result, and the UID dictionary.
 */
@NullMarked
package io.tsdbsuite.bench.rollup.job;

import org.jspecify.annotations.NullMarked;
