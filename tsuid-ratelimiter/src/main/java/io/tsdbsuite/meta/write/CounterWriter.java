package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;

/** Writes {@code ts_ctr} in one of the modes. */
interface CounterWriter {
  /**
   * Writes one series.
   *
   * @param points to be added, where points are counted
   * @param counted whether the value was not 1 when it was written last
   */
  Deferred<CounterState> write(byte[] tsuid, long points, boolean counted);
}
