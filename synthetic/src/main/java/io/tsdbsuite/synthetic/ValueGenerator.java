package io.tsdbsuite.synthetic;

/**
 * Computes the values of a shape, each independently of the others. A value is an integer and its
 * unit: ones, hundredths, or 1024ths.
 */
public abstract class ValueGenerator {
  /** An integer. */
  public static final byte INTEGER = 0;

  /** Unit of floating point values: hundredths. */
  public static final byte HUNDREDTHS = 1;

  /**
   * Unit of floating point values: 1024ths, at most 2^24 of them, so that a float holds each value
   * exactly.
   */
  public static final byte BINARY = 2;

  private final long seed;

  ValueGenerator(long seed) {
    this.seed = seed;
  }

  /** The values of a shape. */
  public static ValueGenerator of(SyntheticShape shape) {
    long seed = Mix.of(shape.seed());
    return switch (shape.values()) {
      case COUNTER -> new CounterValues(seed);
      case GAUGE_INT -> new WanderingValues(seed, INTEGER, 120, 3);
      case GAUGE -> new WanderingValues(seed, HUNDREDTHS, 9950, 5);
      case FLOAT -> new FloatValues(seed);
      case MIXED -> new MixedValues(seed);
      case CONSTANT -> new ConstantValues(seed);
    };
  }

  /** Where the random bits of a series begin. */
  final long seed(int series) {
    return Mix.of(seed, series);
  }

  /**
   * Computes the values of points {@code first} to {@code first + n - 1} of a series.
   *
   * @param numbers gets the numbers, from index 0
   * @param kinds gets {@link #INTEGER}, {@link #HUNDREDTHS} or {@link #BINARY}, from index 0
   */
  public abstract void fill(int series, long first, int n, long[] numbers, byte[] kinds);

  /** The width of all these points, {@link Width#VARIES} if that is not sure. */
  public abstract int width(int series, long first, int n);

  /** The double of a number that is no integer. */
  public static double toDouble(long number, byte kind) {
    return kind == HUNDREDTHS ? number / 100.0 : number / 1024.0;
  }
}
