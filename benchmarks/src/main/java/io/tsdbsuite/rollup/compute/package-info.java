/** Access for the benchmarks to package-private classes of rollup-job's {@code compute}. */
package io.tsdbsuite.rollup.compute;
