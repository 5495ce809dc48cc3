package io.tsdbsuite.bench.rollup;

/** One way from HFiles to hourly sums, minima, maxima and counts. */
@FunctionalInterface
interface Way {
  /** Reads everything once. */
  Totals run() throws Exception;
}
