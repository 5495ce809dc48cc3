/**
 * Measuring tools of the benchmarks: child processes, CPU clocks, medians, and limits that results
 * must hold.
 */
@NullMarked
package io.tsdbsuite.bench.measure;

import org.jspecify.annotations.NullMarked;
