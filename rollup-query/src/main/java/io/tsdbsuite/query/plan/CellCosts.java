package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What reading costs, in cells: of each series, and what a further scan costs beside them. */
public final class CellCosts {
  private static final double HOUR = 3600_000;

  /**
   * How many cells of plain rows cost as much as their packed rollups, at least: when each of these
   * has a part of its own, its plain row has a cell of each aggregator, of which one is read.
   */
  private static final double PACKED = 4;

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

  /**
   * The costs of a query for this function.
   *
   * @param packed the tables of packed rollups
   */
  QueryPlan.Costs of(RollupFunction function, Collection<QueryPlan.Table> packed) {
    int cells = function.aggregators().size();
    return (table, from, to) ->
        series
                * cells(table, from, to, cells)
                / (table != null && packed.contains(table) ? PACKED : 1)
            + scan;
  }

  private double cells(QueryPlan.@Nullable Table table, long from, long to, int cellsOfRollup) {
    return table == null
        ? (to - from) / HOUR * cellsOfHour
        : (double) (to - from) / table.width() * cellsOfRollup;
  }
}
