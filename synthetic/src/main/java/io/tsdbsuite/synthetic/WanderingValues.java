package io.tsdbsuite.synthetic;

import java.util.Arrays;

/**
 * A gauge: every 64 points there is a random place, a straight line leads from each to the next,
 * and each point is a little off the line.
 */
final class WanderingValues extends ValueGenerator {
  private static final int LEG_BITS = 6;
  private static final int LEG = 1 << LEG_BITS;

  private final byte kind;
  private final int range;
  private final int offMask;

  /**
   * @param range places are from 0 to {@code range} - 1, at most 2^16
   * @param offBits points are 0 to 2^offBits - 1 above the line
   */
  WanderingValues(long seed, byte kind, int range, int offBits) {
    super(seed);
    this.kind = kind;
    this.range = range;
    offMask = (1 << offBits) - 1;
  }

  @Override
  public void fill(int series, long first, int n, long[] numbers, byte[] kinds) {
    long seed = seed(series);
    Octets octets = new Octets(seed, first);
    int i = 0;
    while (i < n) {
      long leg = (first + i) >> LEG_BITS;
      int along = (int) (first + i) & (LEG - 1);
      int end = Math.min(n, i + LEG - along);
      int from = place(seed, leg);
      int rise = place(seed, leg + 1) - from;
      int line = (from << LEG_BITS) + rise * along;
      for (; i < end; i++) {
        numbers[i] = (long) (line >> LEG_BITS) + (octets.next() & offMask);
        line += rise;
      }
    }
    Arrays.fill(kinds, 0, n, kind);
  }

  private int place(long seed, long leg) {
    return (int) (((Mix.of(~seed, leg) >>> 32) * range) >>> 32);
  }

  @Override
  public int width(int series, long first, int n) {
    return kind == INTEGER && range + offMask <= Byte.MAX_VALUE + 1 ? Width.BYTE : Width.VARIES;
  }
}
