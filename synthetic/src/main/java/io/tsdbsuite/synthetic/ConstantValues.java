package io.tsdbsuite.synthetic;

import java.util.Arrays;

/** One integer of seven bits for each series. */
final class ConstantValues extends ValueGenerator {
  ConstantValues(long seed) {
    super(seed);
  }

  @Override
  public void fill(int series, long first, int n, long[] numbers, byte[] kinds) {
    Arrays.fill(numbers, 0, n, seed(series) & Byte.MAX_VALUE);
    Arrays.fill(kinds, 0, n, INTEGER);
  }

  @Override
  public int width(int series, long first, int n) {
    return Width.BYTE;
  }
}
