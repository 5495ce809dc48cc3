package io.tsdbsuite.stream.series;

import java.io.Serializable;

/**
 * The key of a series in the state. Two series of one hash are told apart by their names, so a
 * collision costs time only.
 */
@FunctionalInterface
public interface SeriesHash extends Serializable {
  /**
   * Hashes names.
   *
   * @param names encoded by {@link SeriesNames}
   */
  long of(byte[] names);

  /** The first 8 bytes of murmur3 (128 bits). It is part of the state's format. */
  static SeriesHash murmur3() {
    return Murmur3::hash;
  }
}
