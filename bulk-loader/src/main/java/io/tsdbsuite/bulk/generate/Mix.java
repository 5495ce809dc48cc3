package io.tsdbsuite.bulk.generate;

/** Random bits that are a function of a number, by the finisher of SplitMix64. */
final class Mix {
  /** From one number to the next of a sequence; the golden ratio of 2^64. */
  static final long STEP = 0x9e3779b97f4a7c15L;

  private Mix() {}

  static long of(long number) {
    long x = number;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** The bits of place {@code index} of a sequence. */
  static long of(long seed, long index) {
    return of(seed + index * STEP);
  }
}
