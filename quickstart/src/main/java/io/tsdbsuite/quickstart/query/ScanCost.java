package io.tsdbsuite.quickstart.query;

/**
 * The data that HBase sends to the TSD for a query.
 *
 * @param rows rows
 * @param cells cells; a compacted cell counts once
 * @param points points in those cells
 * @param bytes bytes of row keys, qualifiers and values, each cell with its row key
 */
public record ScanCost(long rows, long cells, long points, long bytes) {
  /** Nothing is read. */
  public static final ScanCost NONE = new ScanCost(0, 0, 0, 0);

  /** The cost of two scans. */
  public ScanCost plus(ScanCost other) {
    return new ScanCost(
        rows + other.rows, cells + other.cells, points + other.points, bytes + other.bytes);
  }

  /**
   * The cost of the same rows with a cell for each point.
   *
   * @param bytesPerCell bytes of such a cell with its row key
   */
  public ScanCost asCells(double bytesPerCell) {
    return new ScanCost(rows, points, points, Math.round(points * bytesPerCell));
  }
}
