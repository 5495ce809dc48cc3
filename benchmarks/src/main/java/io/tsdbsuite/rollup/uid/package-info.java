/** Access for the benchmarks to package-private classes of rollup-job's {@code uid}. */
package io.tsdbsuite.rollup.uid;
