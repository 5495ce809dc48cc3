package io.tsdbsuite.rollup.verify;

import java.io.Serializable;

/**
 * A sample of the series, chosen by a hash of the TSUID and a seed. The choice is deterministic,
 * the same in every task and run.
 *
 * @param fraction fraction of the series to select, more than 0, at most 1
 * @param seed another seed selects other series
 */
public record SeriesSample(double fraction, long seed) implements Serializable {
  private static final double RANGE = 0x1.0p53;

  /** Whether the series is in the sample. */
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

  /** Bit mixer: a bijection in which every input bit affects every output bit. */
  private static long mix(long value) {
    long mixed = (value + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 30)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
