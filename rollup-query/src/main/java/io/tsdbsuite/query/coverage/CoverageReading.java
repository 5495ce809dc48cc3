package io.tsdbsuite.query.coverage;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;

/** One reading of the coverage. */
interface CoverageReading {
  /**
   * Begins to read. Never blocks.
   *
   * @param now milliseconds since the epoch
   * @return fails if HBase does
   */
  Deferred<Coverage> read(long now);
}
