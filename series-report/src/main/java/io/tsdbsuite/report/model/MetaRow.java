package io.tsdbsuite.report.model;

import io.tsdbsuite.format.row.Uids;
import org.jspecify.annotations.Nullable;

/** One row of tsdb-meta: the newest {@code name:ts_ctr} and {@code name:ts_meta}. Immutable. */
public final class MetaRow {
  /** Width of the counter, bytes. */
  public static final int COUNTER_WIDTH = 8;

  private final byte[] tsuid;
  private final byte @Nullable [] counter;
  private final long counterTimestamp;
  private final byte @Nullable [] tsMeta;

  /**
   * Keeps the arrays without a copy.
   *
   * @param tsuid the row key
   * @param counter the value of ts_ctr, null if the row has none
   * @param counterTimestamp the cell timestamp of ts_ctr, ms since the epoch
   * @param tsMeta the value of ts_meta, null if the row has none
   */
  public MetaRow(
      byte[] tsuid, byte @Nullable [] counter, long counterTimestamp, byte @Nullable [] tsMeta) {
    this.tsuid = tsuid;
    this.counter = counter;
    this.counterTimestamp = counterTimestamp;
    this.tsMeta = tsMeta;
  }

  /** The row key: UIDs of the metric and of the tags. */
  public byte[] tsuid() {
    return tsuid;
  }

  /** Whether the row has a ts_ctr: without tracking a TSD writes only ts_meta. */
  public boolean tracked() {
    return counter != null;
  }

  /** Whether ts_ctr is absent or has its 8 bytes. */
  public boolean counterIsSound() {
    return counter == null || counter.length == COUNTER_WIDTH;
  }

  /** When the series was last received, ms since the epoch; undefined unless tracked. */
  public long lastReceivedMillis() {
    return counterTimestamp;
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

  /** The TSMeta object as JSON, null if the row has none. */
  public byte @Nullable [] tsMeta() {
    return tsMeta;
  }
}
