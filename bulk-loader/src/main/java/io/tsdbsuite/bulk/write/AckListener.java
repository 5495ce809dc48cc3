package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.report.Tally;

/** Receives the progress of a range. */
public interface AckListener {
  /**
   * All rows up to this one are written and acknowledged, or need not be written.
   *
   * @param lastKey key of the last one, after which a resume continues; empty if there was none
   * @param since counters of the rows since the last call
   */
  void acknowledged(byte[] lastKey, Tally since);
}
