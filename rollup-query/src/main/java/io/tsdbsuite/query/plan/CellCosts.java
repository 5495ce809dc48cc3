package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import org.jspecify.annotations.Nullable;

/** Costs in cells that are read: of each series, and what a further scan costs beside them. */
public final class CellCosts implements QueryPlan.Costs {
  private static final double HOUR = 3600_000;

  private final double series;
  private final double cellsOfRollup;
  private final double pointsOfHour;
  private final double scan;

  /**
   * @param series how many series are read, about
   * @param function of the rollups
   * @param pointsOfHour points of a series in an hour of raw data, about
   * @param scan what a scan costs beside its cells, in cells
   */
  public CellCosts(double series, RollupFunction function, double pointsOfHour, double scan) {
    this.series = series;
    this.cellsOfRollup = function.aggregators().size();
    this.pointsOfHour = pointsOfHour;
    this.scan = scan;
  }

  @Override
  public double of(QueryPlan.@Nullable Table table, long from, long to) {
    double cells =
        table == null
            ? (to - from) / HOUR * pointsOfHour
            : (double) (to - from) / table.width() * cellsOfRollup;
    return series * cells + scan;
  }
}
