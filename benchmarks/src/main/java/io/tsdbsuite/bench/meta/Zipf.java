package io.tsdbsuite.bench.meta;

import java.util.Arrays;

/** Zipf distribution of ranks, with precomputed cumulative sums. */
final class Zipf {
  private final double[] sums;

  /** Ranks 0..ranks-1, in proportion to (rank + 1) to the power of -exponent. */
  Zipf(int ranks, double exponent) {
    sums = new double[ranks];
    double sum = 0;
    for (int i = 0; i < ranks; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      sums[i] = sum;
    }
  }

  /** The rank at a cumulative share, 0 to less than 1. */
  int rank(double share) {
    int at = Arrays.binarySearch(sums, share * sums[sums.length - 1]);
    return Math.min(at < 0 ? -at - 1 : at, sums.length - 1);
  }
}
