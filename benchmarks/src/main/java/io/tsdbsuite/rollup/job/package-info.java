/** Access for the benchmarks to package-private classes of rollup-job's {@code job}. */
package io.tsdbsuite.rollup.job;
