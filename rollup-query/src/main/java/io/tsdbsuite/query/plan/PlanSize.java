package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.QueryPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a plan reads of one series that has all points. Immutable. */
public final class PlanSize {
  private static final double HOUR = 3_600_000;

  private final double rollupCells;

  /** Begin and end of each piece of raw data, milliseconds. */
  private final List<long[]> raw;

  private final double rawHours;

  private PlanSize(double rollupCells, List<long[]> raw, long until) {
    this.rollupCells = rollupCells;
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
    return new PlanSize(0, all, Long.MAX_VALUE);
  }

  static PlanSize of(List<QueryPlan.Scan> scans, RollupFunction function) {
    double cells = 0;
    List<long[]> raw = new ArrayList<>();
    for (QueryPlan.Scan scan : scans) {
      QueryPlan.Table table = scan.table();
      if (table == null) {
        raw.add(new long[] {scan.from(), scan.to()});
      } else {
        double millis = scan.to() - scan.from();
        cells += millis / table.width() * function.aggregators().size();
      }
    }
    return new PlanSize(cells, raw, Long.MAX_VALUE);
  }

  /** The same without the raw data after a time, milliseconds since the epoch. */
  public PlanSize until(long millis) {
    return new PlanSize(rollupCells, raw, millis);
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
