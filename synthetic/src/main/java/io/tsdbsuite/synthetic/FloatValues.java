package io.tsdbsuite.synthetic;

import java.util.Arrays;

/** Random 1024ths of 24 bits with their sign, two of them from one number. */
final class FloatValues extends ValueGenerator {
  FloatValues(long seed) {
    super(seed);
  }

  @Override
  public void fill(int series, long first, int n, long[] numbers, byte[] kinds) {
    long seed = seed(series);
    for (int i = 0; i < n; i++) {
      long point = first + i;
      numbers[i] = (int) (Mix.of(seed, point >> 1) >>> ((point & 1) << 5)) >> 8;
    }
    Arrays.fill(kinds, 0, n, BINARY);
  }

  @Override
  public int width(int series, long first, int n) {
    return Width.FLOAT;
  }
}
