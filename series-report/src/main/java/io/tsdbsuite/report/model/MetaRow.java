package io.tsdbsuite.report.model;

import io.tsdbsuite.format.row.Uids;
import org.jspecify.annotations.Nullable;

/**
 * One row of tsdb-meta: the newest {@code name:ts_ctr} and {@code name:ts_meta}. The arrays are not
 * copied.
 *
 * @param tsuid the row key: UIDs of the metric and of the tags
 * @param counter the value of ts_ctr, null if the row has none
 * @param lastReceivedMillis the cell timestamp of ts_ctr: when the series was last received, ms
 *     since the epoch; undefined unless tracked
 * @param tsMeta the TSMeta object as JSON, null if the row has none
 */
public record MetaRow(
    byte[] tsuid, byte @Nullable [] counter, long lastReceivedMillis, byte @Nullable [] tsMeta) {
  /** Width of the counter, bytes. */
  public static final int COUNTER_WIDTH = 8;

  /** Whether the row has a ts_ctr: without tracking a TSD writes only ts_meta. */
  public boolean tracked() {
    return counter != null;
  }

  /** Whether ts_ctr is absent or has its 8 bytes. */
  public boolean counterIsSound() {
    return counter == null || counter.length == COUNTER_WIDTH;
  }

  /**
   * The counter: points, or 1 if series are only tracked. Sound rows only.
   *
   * @throws IllegalStateException when the row is not tracked
   */
  public long points() {
    if (counter == null) {
      throw new IllegalStateException("a row without ts_ctr has no points");
    }
    return Uids.read(counter, 0, COUNTER_WIDTH);
  }
}
