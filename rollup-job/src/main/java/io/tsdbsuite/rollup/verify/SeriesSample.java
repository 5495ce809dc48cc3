package io.tsdbsuite.rollup.verify;

import java.io.Serializable;

/**
 * Some of all series, chosen by a hash of the TSUID and a seed: the same ones wherever and however
 * often somebody asks.
 *
 * @param fraction of the series that are wanted, more than 0, at most 1
 * @param seed another one chooses others
 */
public record SeriesSample(double fraction, long seed) implements Serializable {
  private static final double RANGE = 0x1.0p53;

  /** Whether the series is wanted. */
  public boolean wants(byte[] tsuid) {
    return fraction >= 1 || (hash(tsuid) >>> 11) / RANGE < fraction;
  }

  private long hash(byte[] tsuid) {
    long hash = seed;
    for (byte b : tsuid) {
      hash = mix(hash ^ b);
    }
    return mix(hash);
  }

  /** A bijection in which every bit of the input reaches every bit of the output. */
  private static long mix(long value) {
    long mixed = (value + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 30)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
