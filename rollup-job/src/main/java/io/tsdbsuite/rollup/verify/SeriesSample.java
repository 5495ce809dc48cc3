package io.tsdbsuite.rollup.verify;

import java.io.Serializable;
import java.util.Optional;

/**
 * A sample of the series, chosen by a hash of the TSUID and a seed. The choice is deterministic,
 * the same in every task and run.
 *
 * @param fraction fraction of the series to select, more than 0, at most 1
 * @param least number of series that a sample must have, unless there are fewer; 1 or more
 * @param seed another seed selects other series
 */
public record SeriesSample(double fraction, int least, long seed) implements Serializable {
  private static final double RANGE = 0x1.0p53;
  private static final int MIN_STEP = 50;

  /** Whether the series is in the sample. */
  public boolean wants(byte[] tsuid) {
    return fraction >= 1 || (hash(tsuid) >>> 11) / RANGE < fraction;
  }

  /**
   * A larger sample with the same series and others, if this one had too few.
   *
   * @param found number of series that this one had
   * @return empty if it had enough, or all
   */
  public Optional<SeriesSample> larger(long found) {
    if (fraction >= 1 || found >= least) {
      return Optional.empty();
    }
    // Twice what is needed, because the number varies; and each pass reads all data again.
    double needed = fraction * 2 * Math.max(MIN_STEP, least) / Math.max(1, found);
    return Optional.of(new SeriesSample(Math.min(1, needed), least, seed));
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
