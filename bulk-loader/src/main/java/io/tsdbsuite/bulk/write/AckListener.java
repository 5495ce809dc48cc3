package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.report.Tally;

/** Hears how far a range is written. */
public interface AckListener {
  /**
   * All rows up to this one are written and acknowledged, or need not be written.
   *
   * @param lastKey key of the last one, after which the load can go on; null if there was none
   * @param since what became of the rows since the last call
   */
  void acknowledged(byte[] lastKey, Tally since);
}
