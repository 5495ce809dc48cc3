package io.tsdbsuite.bench.rollup;

/** An implementation from HFiles to hourly sums, minima, maxima and counts. */
@FunctionalInterface
interface Way {
  /** Reads all rows once. */
  Totals run() throws Exception;
}
