package io.tsdbsuite.query.estimate;

import io.tsdbsuite.query.plan.CellCosts;
import io.tsdbsuite.query.plan.PlanSize;

/** What the series of a selection are like. Immutable. */
public final class SeriesEstimate {
  /** Nothing is known: one series with a point each ten seconds, each in a cell of its own. */
  public static final SeriesEstimate UNKNOWN = new SeriesEstimate(1, 1, 360, 360);

  /** A scan costs a round trip and a seek, as much as some hundred cells. */
  private static final double CELLS_OF_SCAN = 200;

  private final double series;
  private final double kept;
  private final double cellsOfHour;
  private final double pointsOfHour;

  /**
   * @param series how many are read, of those in a row's time; a sparse one is less than one
   * @param kept those of them that filters of names let pass: only they are held
   * @param cellsOfHour cells of HBase of a series in an hour of raw data
   * @param pointsOfHour points in them; a compacted row has one cell of many points
   */
  public SeriesEstimate(double series, double kept, double cellsOfHour, double pointsOfHour) {
    this.series = series;
    this.kept = kept;
    this.cellsOfHour = cellsOfHour;
    this.pointsOfHour = pointsOfHour;
  }

  /**
   * What a query has shown.
   *
   * @param size what it would have read of one series that has all rollups
   * @param rollupValues that it has read, about
   * @param keptValues those of them that it has kept
   * @param rawCells that it has read
   * @param rawPoints that it has kept
   */
  public SeriesEstimate corrected(
      PlanSize size, double rollupValues, double keptValues, double rawCells, double rawPoints) {
    if (size.rollupValues() < 1) {
      return this;
    }
    double found = Math.max(0.01, rollupValues / size.rollupValues());
    // Nothing is known of the time after the last point.
    double hours = rawPoints == 0 ? 0 : size.rawHours();
    return corrected(found, keptValues / size.rollupValues(), hours, rawCells, rawPoints);
  }

  /** Less than an hour of a series says nothing of an hour. */
  private SeriesEstimate corrected(
      double found, double passed, double rawHours, double cells, double points) {
    double hours = found * rawHours;
    double keptHours = passed * rawHours;
    return new SeriesEstimate(
        found,
        passed,
        hours < 1 ? cellsOfHour : cells / hours,
        keptHours < 1 ? pointsOfHour : points / keptHours);
  }

  /**
   * What a query of raw data alone has shown. The points are counted and do not follow from the
   * cells: rows of one time are compacted, and those of another are not.
   *
   * @param found series that it has found
   * @param passed those of them that it has kept
   * @param cells that it has read
   * @param points that it has kept
   */
  public SeriesEstimate correctedByRaw(
      PlanSize size, int found, int passed, double cells, double points) {
    return found * size.rawHours() < 1
        ? this
        : corrected(found, passed, size.rawHours(), cells, points);
  }

  /** How many series pass. */
  public double series() {
    return kept;
  }

  /** Cells of HBase that a plan reads. */
  public double cells(PlanSize size) {
    return series * (size.rollupCells() + size.rawHours() * cellsOfHour);
  }

  /** Values that a plan holds: of rollups, and points. */
  public double values(PlanSize size) {
    return kept * (size.rollupValues() + size.rawHours() * pointsOfHour);
  }

  /** Histograms that a plan holds, if an hour of points becomes one. */
  public double histograms(PlanSize size) {
    return kept * (size.rollupValues() + size.rawHours());
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
    return kept + " series, " + cellsOfHour + " cells and " + pointsOfHour + " points an hour";
  }
}
