package io.tsdbsuite.coverage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins pieces of a table to scans. A gap between two pieces of a table is read over if that costs
 * less than a scan of its own for the second piece. If there are still too many scans, the gaps
 * that cost least are read over, too; of each table one scan remains.
 */
final class ScanJoin {
  private ScanJoin() {}

  /** Two neighbours of a table, and what is between them. */
  private static final class Gap {
    private final double surplus;
    private boolean joined;

    Gap(double surplus) {
      this.surplus = surplus;
      this.joined = surplus <= 0;
    }
  }

  /**
   * @param pieces in the order of time
   * @param maxScans how many scans there should be at most
   */
  static List<QueryPlan.Scan> scans(
      List<QueryPlan.Piece> pieces, QueryPlan.Costs costs, int maxScans) {
    // Each table of a plan is one object. Raw data is null.
    HashMap<QueryPlan.@Nullable Table, List<QueryPlan.Piece>> byTable = new HashMap<>();
    for (QueryPlan.Piece piece : pieces) {
      byTable.computeIfAbsent(piece.table(), table -> new ArrayList<>()).add(piece);
    }
    IdentityHashMap<QueryPlan.Piece, Gap> gapBefore = new IdentityHashMap<>();
    List<Gap> open = new ArrayList<>();
    for (List<QueryPlan.Piece> each : byTable.values()) {
      for (int i = 1; i < each.size(); i++) {
        Gap gap = gap(each.get(i - 1), each.get(i), costs);
        gapBefore.put(each.get(i), gap);
        if (!gap.joined) {
          open.add(gap);
        }
      }
    }
    open.sort(Comparator.comparingDouble(gap -> gap.surplus));
    int tooMany = open.size() + byTable.size() - maxScans;
    for (int i = 0; i < Math.min(tooMany, open.size()); i++) {
      open.get(i).joined = true;
    }
    List<QueryPlan.Scan> scans = new ArrayList<>();
    for (List<QueryPlan.Piece> each : byTable.values()) {
      addScans(each, gapBefore, scans);
    }
    scans.sort(Comparator.comparingLong(QueryPlan.Scan::from));
    return scans;
  }

  private static Gap gap(QueryPlan.Piece a, QueryPlan.Piece b, QueryPlan.Costs costs) {
    return new Gap(
        costs.of(a.table(), a.from(), b.to())
            - costs.of(a.table(), a.from(), a.to())
            - costs.of(b.table(), b.from(), b.to()));
  }

  private static void addScans(
      List<QueryPlan.Piece> pieces,
      IdentityHashMap<QueryPlan.Piece, Gap> gapBefore,
      List<QueryPlan.Scan> to) {
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    boolean isEmpty = true;
    for (QueryPlan.Piece piece : pieces) {
      Gap gap = gapBefore.get(piece);
      if (gap != null && !gap.joined && !isEmpty) {
        to.add(QueryPlan.scan(pieces.get(0).table(), ranges.build()));
        ranges = new TimeRanges.Builder();
      }
      ranges.add(piece.from(), piece.to());
      isEmpty = false;
    }
    to.add(QueryPlan.scan(pieces.get(0).table(), ranges.build()));
  }
}
