package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import java.util.List;

/** What a plan reads of one series that has all points. Immutable. */
public final class PlanSize {
  private final double rollupCells;
  private final double rawHours;

  private PlanSize(double rollupCells, double rawHours) {
    this.rollupCells = rollupCells;
    this.rawHours = rawHours;
  }

  /** The size of a plan of raw data alone. */
  public static PlanSize raw(QueryTimes times) {
    return new PlanSize(0, times.hours());
  }

  static PlanSize of(List<QueryPlan.Scan> scans, RollupFunction function) {
    double cells = 0;
    double hours = 0;
    for (QueryPlan.Scan scan : scans) {
      double millis = scan.to() - scan.from();
      QueryPlan.Table table = scan.table();
      if (table == null) {
        hours += millis / 3_600_000;
      } else {
        cells += millis / table.width() * function.aggregators().size();
      }
    }
    return new PlanSize(cells, hours);
  }

  /** Cells of rollups. */
  public double rollupCells() {
    return rollupCells;
  }

  /** Hours of raw data. */
  public double rawHours() {
    return rawHours;
  }
}
