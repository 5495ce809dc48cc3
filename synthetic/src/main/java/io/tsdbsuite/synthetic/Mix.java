package io.tsdbsuite.synthetic;

/** Random bits that are a function of a number, by the finisher of SplitMix64. */
public final class Mix {
  /** From one number to the next of a sequence; the golden ratio of 2^64. */
  public static final long STEP = 0x9e3779b97f4a7c15L;

  private Mix() {}

  /** The bits of a number. */
  public static long of(long number) {
    long x = number;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** The bits of place {@code index} of a sequence. */
  public static long of(long seed, long index) {
    return of(seed + index * STEP);
  }
}
