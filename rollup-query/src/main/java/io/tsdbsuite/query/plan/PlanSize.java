package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.format.rollup.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a plan reads of one series that has all points. Immutable. */
public final class PlanSize {
  private static final double HOUR = 3_600_000;

  private final double rollupCells;
  private final double rollupValues;

  /** Begin and end of each piece of raw data, milliseconds. */
  private final List<long[]> raw;

  private final double rawHours;

  private PlanSize(double rollupCells, double rollupValues, List<long[]> raw, long until) {
    this.rollupCells = rollupCells;
    this.rollupValues = rollupValues;
    this.raw = raw;
    double hours = 0;
    for (long[] piece : raw) {
      hours += Math.max(0, Math.min(piece[1], until) - piece[0]) / HOUR;
    }
    this.rawHours = hours;
  }

  /** The size of a plan of raw data alone. */
  public static PlanSize raw(QueryTimes times) {
    List<long[]> all = Collections.singletonList(new long[] {times.from(), times.to()});
    return new PlanSize(0, 0, all, Long.MAX_VALUE);
  }

  /** The size of scans; a packed row has one cell, if it has no repairs. */
  static PlanSize of(List<QueryPlan.Scan> scans, RollupFunction function, RollupTables tables) {
    double cells = 0;
    double values = 0;
    List<long[]> raw = new ArrayList<>();
    for (QueryPlan.Scan scan : scans) {
      QueryPlan.Table table = scan.table();
      if (table == null) {
        raw.add(new long[] {scan.from(), scan.to()});
      } else {
        double rollups = (double) (scan.to() - scan.from()) / table.width();
        values += rollups * function.aggregators().size();
        cells +=
            Level.isPacked(table.interval())
                ? Math.max(1, rollups / tables.interval(table.interval()).intervalsPerRow())
                : rollups * function.aggregators().size();
      }
    }
    return new PlanSize(cells, values, raw, Long.MAX_VALUE);
  }

  /** The same without the raw data after a time, milliseconds since the epoch. */
  public PlanSize until(long millis) {
    return new PlanSize(rollupCells, rollupValues, raw, millis);
  }

  /** Cells of rollup tables. */
  public double rollupCells() {
    return rollupCells;
  }

  /** Values of rollups: the cells, if all were in plain rows. */
  public double rollupValues() {
    return rollupValues;
  }

  /** Hours of raw data. */
  public double rawHours() {
    return rawHours;
  }
}
