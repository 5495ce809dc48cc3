package io.tsdbsuite.query.estimate;

import io.tsdbsuite.query.plan.CellCosts;
import io.tsdbsuite.query.plan.PlanSize;

/** What the series of a selection are like. Immutable. */
public final class SeriesEstimate {
  /** Nothing is known: one series with a point each ten seconds, each in a cell of its own. */
  public static final SeriesEstimate UNKNOWN = new SeriesEstimate(1, 360, 360);

  /** A scan costs a round trip and a seek, as much as some hundred cells. */
  private static final double CELLS_OF_SCAN = 200;

  private final double series;
  private final double cellsOfHour;
  private final double pointsOfHour;

  /**
   * @param series how many there are in a row's time; a sparse one is less than one
   * @param cellsOfHour cells of HBase of a series in an hour of raw data
   * @param pointsOfHour points in them; a compacted row has one cell of many points
   */
  public SeriesEstimate(double series, double cellsOfHour, double pointsOfHour) {
    this.series = series;
    this.cellsOfHour = cellsOfHour;
    this.pointsOfHour = pointsOfHour;
  }

  /**
   * What a query has shown.
   *
   * @param size what it would have read of one series that has all rollups
   * @param rollupCells that it has read
   * @param rawCells that it has read
   * @param rawPoints that it has read
   */
  public SeriesEstimate corrected(
      PlanSize size, double rollupCells, double rawCells, double rawPoints) {
    if (size.rollupCells() < 1) {
      return this;
    }
    double found = Math.max(0.01, rollupCells / size.rollupCells());
    double hours = found * size.rawHours();
    // Less than an hour of a series says nothing of an hour, nor does the time after its last
    // point.
    return hours < 1 || rawPoints == 0
        ? new SeriesEstimate(found, cellsOfHour, pointsOfHour)
        : new SeriesEstimate(found, rawCells / hours, rawPoints / hours);
  }

  /**
   * What a query of raw data alone has shown. The points are counted and do not follow from the
   * cells: rows of one time are compacted, and those of another are not.
   *
   * @param found series that it has found
   * @param cells that it has read
   * @param points in these cells
   */
  public SeriesEstimate correctedByRaw(PlanSize size, int found, double cells, double points) {
    double hours = found * size.rawHours();
    return hours < 1 ? this : new SeriesEstimate(found, cells / hours, points / hours);
  }

  /** How many series there are. */
  public double series() {
    return series;
  }

  /** Cells of HBase that a plan reads. */
  public double cells(PlanSize size) {
    return series * (size.rollupCells() + size.rawHours() * cellsOfHour);
  }

  /** Values that a plan reads: cells of rollups, and points. */
  public double values(PlanSize size) {
    return series * (size.rollupCells() + size.rawHours() * pointsOfHour);
  }

  /**
   * The costs of reading.
   *
   * @param buckets scanners of a scan: the salt buckets, or 1
   */
  public CellCosts costs(int buckets) {
    // Of an unknown selection, as if each salt bucket had one: a plan of raw data teaches nothing.
    double guess = this == UNKNOWN ? buckets : series;
    return new CellCosts(guess, Math.max(1, pointsOfHour), CELLS_OF_SCAN * buckets);
  }

  /** {@code 12.0 series, 60.0 cells and 360.0 points an hour}. */
  @Override
  public String toString() {
    return series + " series, " + cellsOfHour + " cells and " + pointsOfHour + " points an hour";
  }
}
