/**
 * Measuring tools of the benchmarks: child processes, CPU clocks, medians, and limits that results
 * must hold.
 */
package io.tsdbsuite.bench.measure;
