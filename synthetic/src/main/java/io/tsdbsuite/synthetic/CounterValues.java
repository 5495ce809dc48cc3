package io.tsdbsuite.synthetic;

import java.util.Arrays;

/** Point k is about 8 k: the last three bits are random, so that it never falls. */
final class CounterValues extends ValueGenerator {
  private static final int STEP_BITS = 3;
  private static final int STEP_MASK = (1 << STEP_BITS) - 1;

  CounterValues(long seed) {
    super(seed);
  }

  @Override
  public void fill(int series, long first, int n, long[] numbers, byte[] kinds) {
    long seed = seed(series);
    long base = base(seed) + (first << STEP_BITS);
    Octets octets = new Octets(seed, first);
    for (int i = 0; i < n; i++) {
      numbers[i] = base + ((long) i << STEP_BITS) + (octets.next() & STEP_MASK);
    }
    Arrays.fill(kinds, 0, n, INTEGER);
  }

  @Override
  public int width(int series, long first, int n) {
    long seed = seed(series);
    long least = base(seed) + (first << STEP_BITS);
    long most = least + ((long) n << STEP_BITS);
    int width = Width.ofInteger(least);
    return width == Width.ofInteger(most) ? width : Width.VARIES;
  }

  private static long base(long seed) {
    return seed & 0xffff;
  }
}
