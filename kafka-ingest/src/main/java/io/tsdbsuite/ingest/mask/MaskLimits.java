package io.tsdbsuite.ingest.mask;

/** Bounds of the masks that are written together. Immutable. */
public final class MaskLimits {
  /** Rows that are written together. */
  static final int ROWS = 5_000;

  /** Series that are named in rows that are written together. */
  static final int NAMES = 20_000;

  final int series;
  final int metrics;
  final int rows;
  final int names;

  /**
   * @param series of one metric and hour that are named
   * @param metrics of one hour that have a row
   */
  public MaskLimits(int series, int metrics) {
    this(series, metrics, ROWS, NAMES);
  }

  MaskLimits(int series, int metrics, int rows, int names) {
    this.series = series;
    this.metrics = metrics;
    this.rows = rows;
    this.names = names;
  }
}
