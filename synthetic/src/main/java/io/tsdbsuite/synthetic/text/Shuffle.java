package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.Mix;

/**
 * A random order of the numbers 0..n-1 without a table: a one-to-one function on numbers of so many
 * bits, applied again while its result is n or more.
 */
final class Shuffle {
  private static final long FIRST = 0xd6e8feb86659fd93L;
  private static final long SECOND = 0xa0761d6478bd642fL;

  private final long n;
  private final long mask;
  private final int half;
  private final long key;

  Shuffle(long n, long seed) {
    this.n = n;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, n - 1));
    mask = -1L >>> (Long.SIZE - bits);
    half = (bits + 1) / 2;
    key = Mix.of(seed);
  }

  /** The element at this place. */
  long at(long place) {
    long x = place;
    do {
      x = (x + key) & mask;
      x = (x * FIRST) & mask;
      x ^= x >>> half;
      x = (x * SECOND) & mask;
      x ^= x >>> half;
      x = (x * FIRST) & mask;
      x ^= x >>> half;
    } while (x >= n);
    return x;
  }
}
