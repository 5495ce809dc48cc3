package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import org.jspecify.annotations.Nullable;

/** What reading costs, in cells: of each series, and what a further scan costs beside them. */
public final class CellCosts {
  private static final double HOUR = 3600_000;

  private final double series;
  private final double cellsOfHour;
  private final double scan;

  /**
   * @param series how many series are read, about
   * @param cellsOfHour points of a series in an hour of raw data, about
   * @param scan what a scan of all salt buckets costs beside its cells, in cells
   */
  public CellCosts(double series, double cellsOfHour, double scan) {
    this.series = series;
    this.cellsOfHour = cellsOfHour;
    this.scan = scan;
  }

  /** The costs of a query for this function. */
  QueryPlan.Costs of(RollupFunction function) {
    int cells = function.aggregators().size();
    return (table, from, to) -> series * cells(table, from, to, cells) + scan;
  }

  private double cells(QueryPlan.@Nullable Table table, long from, long to, int cellsOfRollup) {
    return table == null
        ? (to - from) / HOUR * cellsOfHour
        : (double) (to - from) / table.width() * cellsOfRollup;
  }
}
