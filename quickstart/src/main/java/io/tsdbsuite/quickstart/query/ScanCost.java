package io.tsdbsuite.quickstart.query;

/**
 * The data that HBase sends to the TSD for a query of raw data.
 *
 * @param cells cells; a compacted cell counts once
 * @param points points in those cells
 */
public record ScanCost(long cells, long points) {
  /** Nothing is read. */
  public static final ScanCost NONE = new ScanCost(0, 0);

  /** The cost of two scans. */
  public ScanCost plus(ScanCost other) {
    return new ScanCost(cells + other.cells, points + other.points);
  }

  /** The cost of the same points with a cell for each. */
  public ScanCost asCells() {
    return new ScanCost(points, points);
  }
}
