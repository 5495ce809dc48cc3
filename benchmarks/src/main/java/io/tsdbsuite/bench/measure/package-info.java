/**
 * Measuring tools of the benchmarks: child processes, CPU clocks, medians, limits that results must
 * hold, and reports.
 */
@NullMarked
package io.tsdbsuite.bench.measure;

import org.jspecify.annotations.NullMarked;
