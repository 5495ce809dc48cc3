package io.tsdbsuite.synthetic;

/** Every type and width, point by point. */
final class MixedValues extends ValueGenerator {
  private static final long[] EXTREMES = {
    0,
    -1,
    127,
    -128,
    128,
    -129,
    32767,
    -32768,
    32768,
    -32769,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE + 1L,
    Integer.MIN_VALUE - 1L,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  MixedValues(long seed) {
    super(seed);
  }

  @Override
  public void fill(int series, long first, int n, long[] numbers, byte[] kinds) {
    long seed = seed(series);
    for (int i = 0; i < n; i++) {
      long random = Mix.of(seed, first + i);
      int choice = (int) random & 7;
      kinds[i] = choice == 5 ? HUNDREDTHS : choice == 6 ? BINARY : INTEGER;
      numbers[i] = number(choice, random >> 3);
    }
  }

  private static long number(int choice, long random) {
    return switch (choice) {
      case 0 -> EXTREMES[(int) random & (EXTREMES.length - 1)];
      case 1 -> (byte) random;
      case 2 -> (short) random;
      case 3 -> (int) random;
      case 4 -> Mix.of(random);
      case 5 -> (int) random >> 4;
      case 6 -> (int) random >> 8;
      default -> random & 0x3f;
    };
  }

  @Override
  public int width(int series, long first, int n) {
    return Width.VARIES;
  }
}
