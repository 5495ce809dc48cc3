package io.tsdbsuite.query.shadow;

/** What the rollup table and the raw data have of one bucket of one series. */
public final class SeriesValues {
  private final byte[] tsuid;
  private final BucketValue rollup;
  private final BucketValue raw;
  private final long cells;
  private final long written;

  /**
   * @param raw whole: a percentile is computed here, and its points are let go
   * @param cells cells that were read; the points of a percentile count if they are more
   * @param written newest timestamp of the cells of raw data, milliseconds since the epoch; 0: none
   */
  public SeriesValues(byte[] tsuid, BucketValue rollup, BucketValue raw, long cells, long written) {
    this.tsuid = tsuid.clone();
    this.rollup = rollup;
    this.raw = raw;
    this.cells = Math.max(cells, raw.kept());
    rollup.finish();
    raw.finish();
    this.written = written;
  }

  byte[] tsuid() {
    return tsuid.clone();
  }

  BucketValue rollup() {
    return rollup;
  }

  BucketValue raw() {
    return raw;
  }

  long cells() {
    return cells;
  }

  long written() {
    return written;
  }

  boolean areDifferent() {
    return !rollup.isSameAs(raw);
  }

  /** Whether a later reading found the same values. */
  boolean areUnchanged(SeriesValues later) {
    return rollup.isUnchanged(later.rollup) && raw.isUnchanged(later.raw);
  }
}
