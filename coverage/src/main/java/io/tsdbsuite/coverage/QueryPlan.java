package io.tsdbsuite.coverage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From which tables a query reads its range of time. The widest rollups come first: the whole
 * intervals that lie inside one output bucket and inside the proven times are read from the widest
 * table, what remains from the next narrower one, and the rest from raw data.
 *
 * <pre>
 *   buckets   |        day 1        |        day 2        |   day 3 ...
 *   range        ^from                                        ^to
 *   1d                              |=====================|
 *   1h           .|=================|                     |==|.
 *   raw          ^^                                          ^^
 * </pre>
 *
 * Of all selections of tables the cheapest is taken: a further table saves cells at the edges and
 * costs a further scan. The pieces do not overlap, are in the order of time, and together are the
 * range.
 *
 * <p>One scan reads several pieces of a table, and skips what lies between them, where that costs
 * less than a further scan, or where there would be too many scans.
 */
public final class QueryPlan {
  // Of n tables there are 2^n selections. More tables than these are not looked at, the narrowest
  // first: rollup_config.json of a user has two to six.
  private static final int MAX_TABLES = 10;

  private final List<Piece> pieces;
  private final List<Scan> scans;
  private final double cost;

  private QueryPlan(List<Piece> pieces, List<Scan> scans, double cost) {
    this.pieces = pieces;
    this.scans = scans;
    this.cost = cost;
  }

  /** A table of rollups and the times for which it is proven. */
  public static final class Table {
    private final String interval;
    private final long width;
    private final TimeRanges proven;

    /**
     * @param interval as rollup_config.json writes it, for example {@code 1h}; of a further
     *     aggregator the level, {@code 1h.p99}
     * @param width of the interval, milliseconds
     * @param proven times of which every rollup is readable; a rollup counts only if its whole
     *     interval is proven
     */
    public Table(String interval, long width, TimeRanges proven) {
      this.interval = interval;
      this.width = width;
      this.proven = proven;
    }

    /** As rollup_config.json writes it, or the level. */
    public String interval() {
      return interval;
    }

    /** Width of the interval in milliseconds. */
    public long width() {
      return width;
    }

    /** The times of which every rollup is readable. */
    public TimeRanges proven() {
      return proven;
    }
  }

  /** A range of time and the table from which it is read. */
  public static final class Piece {
    private final @Nullable Table table;
    private final long from;
    private final long to;

    Piece(@Nullable Table table, long from, long to) {
      this.table = table;
      this.from = from;
      this.to = to;
    }

    /** Null: raw data. */
    public @Nullable Table table() {
      return table;
    }

    /** First time, milliseconds, inclusive. */
    public long from() {
      return from;
    }

    /** End, milliseconds, exclusive. */
    public long to() {
      return to;
    }

    /** {@code 1h [from, to)}, milliseconds. */
    @Override
    public String toString() {
      return (table == null ? "raw" : table.interval()) + " [" + from + ", " + to + ")";
    }
  }

  /** A range of a table that is read at once, and the parts of it that count. */
  public static final class Scan {
    private final @Nullable Table table;
    private final TimeRanges ranges;

    private Scan(@Nullable Table table, TimeRanges ranges) {
      this.table = table;
      this.ranges = ranges;
    }

    /** Null: raw data. */
    public @Nullable Table table() {
      return table;
    }

    /** The times of the pieces, milliseconds; what lies between them must be left out. */
    public TimeRanges ranges() {
      return ranges;
    }

    /** First time of the first piece, milliseconds. */
    public long from() {
      return ranges.from(0);
    }

    /** End of the last piece, milliseconds, exclusive. */
    public long to() {
      return ranges.to(ranges.size() - 1);
    }
  }

  /** The cost of reading. */
  public interface Costs {
    /**
     * The cost of a scan, in a unit of the caller's. It does not fall when the range grows.
     *
     * @param table null: raw data
     */
    double of(@Nullable Table table, long from, long to);
  }

  /**
   * The cheapest plan for a range.
   *
   * @param from first time, milliseconds, inclusive
   * @param to end, milliseconds, exclusive
   * @param tables in any order
   * @param maxScans how many scans a plan may have; raw data alone is always a plan, of one scan
   */
  public static QueryPlan cheapest(
      long from, long to, Buckets buckets, List<Table> tables, Costs costs, int maxScans) {
    List<Table> widestFirst = new ArrayList<>();
    for (Table table : tables) {
      if (!table.proven().isEmpty() && table.width() <= to - from) {
        widestFirst.add(table);
      }
    }
    widestFirst.sort(Comparator.comparingLong(Table::width).reversed());
    if (widestFirst.size() > MAX_TABLES) {
      widestFirst = widestFirst.subList(0, MAX_TABLES);
    }
    // The whole intervals of a table do not depend on the other tables of a selection.
    List<TimeRanges> whole = new ArrayList<>();
    for (Table table : widestFirst) {
      whole.add(wholeAndProven(from, to, buckets, table));
    }
    QueryPlan best = null;
    for (int selection = 0; selection < 1 << widestFirst.size(); selection++) {
      QueryPlan plan = of(from, to, widestFirst, whole, selection, costs, maxScans);
      // The first selection is that of no table.
      if (best == null || (plan.cost < best.cost && plan.scans.size() <= maxScans)) {
        best = plan;
      }
    }
    if (best == null) {
      throw new AssertionError("no selection of tables, not even that of none");
    }
    return best;
  }

  /** The plan that reads raw data alone. */
  public static QueryPlan raw(long from, long to, Costs costs) {
    return of(from, to, new ArrayList<>(), new ArrayList<>(), 0, costs, 1);
  }

  /**
   * The same plan, that reads copies of tables, for the times for which these are proven, where
   * that costs less.
   *
   * @param copies the copy of a table, of the same width
   * @param costs those of the plan, and of copies
   * @param maxScans how many scans it may have
   */
  public QueryPlan withCopies(Map<Table, Table> copies, Costs costs, int maxScans) {
    QueryPlan best = this;
    for (Map.Entry<Table, Table> each : copies.entrySet()) {
      QueryPlan plan = best.withCopy(each.getKey(), each.getValue(), costs, maxScans);
      if (plan.cost < best.cost && plan.scans.size() <= maxScans) {
        best = plan;
      }
    }
    return best;
  }

  private QueryPlan withCopy(Table table, Table copy, Costs costs, int maxScans) {
    TimeRanges.Builder ofTable = new TimeRanges.Builder();
    List<Piece> parts = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece.table == table) {
        ofTable.add(piece.from, piece.to);
      } else {
        parts.add(piece);
      }
    }
    TimeRanges all = ofTable.build();
    TimeRanges copied = whole(all.intersect(copy.proven()), copy.width());
    add(copy, copied, parts);
    add(table, all.minus(copied), parts);
    return of(parts, costs, maxScans);
  }

  private static TimeRanges wholeAndProven(long from, long to, Buckets buckets, Table table) {
    TimeRanges inRange = table.proven().intersect(TimeRanges.of(from, to));
    TimeRanges.Builder whole = new TimeRanges.Builder();
    for (int i = 0; i < inRange.size(); i++) {
      TimeRanges part = buckets.wholeIntervals(inRange.from(i), inRange.to(i), table.width());
      for (int k = 0; k < part.size(); k++) {
        whole.add(part.from(k), part.to(k));
      }
    }
    return whole.build();
  }

  private static QueryPlan of(
      long from,
      long to,
      List<Table> tables,
      List<TimeRanges> whole,
      int selection,
      Costs costs,
      int maxScans) {
    TimeRanges rest = TimeRanges.of(from, to);
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      if ((selection & (1 << i)) != 0) {
        Table table = tables.get(i);
        // A wider table may have cut an interval of one whose width does not divide it.
        TimeRanges read = whole(rest.intersect(whole.get(i)), table.width());
        add(table, read, pieces);
        rest = rest.minus(read);
      }
    }
    add(null, rest, pieces);
    return of(pieces, costs, maxScans);
  }

  /** The whole intervals of ranges. */
  private static TimeRanges whole(TimeRanges ranges, long width) {
    TimeRanges.Builder whole = new TimeRanges.Builder();
    for (int k = 0; k < ranges.size(); k++) {
      long begin = -Math.floorDiv(-ranges.from(k), width) * width;
      long end = Math.floorDiv(ranges.to(k), width) * width;
      if (begin < end) {
        whole.add(begin, end);
      }
    }
    return whole.build();
  }

  private static void add(@Nullable Table table, TimeRanges ranges, List<Piece> pieces) {
    for (int k = 0; k < ranges.size(); k++) {
      pieces.add(new Piece(table, ranges.from(k), ranges.to(k)));
    }
  }

  private static QueryPlan of(List<Piece> pieces, Costs costs, int maxScans) {
    pieces.sort(Comparator.comparingLong(Piece::from));
    List<Scan> scans = ScanJoin.scans(pieces, costs, maxScans);
    double cost = 0;
    for (Scan scan : scans) {
      cost += costs.of(scan.table(), scan.from(), scan.to());
    }
    return new QueryPlan(pieces, scans, cost);
  }

  /** Makes a scan of pieces of one table; for {@link ScanJoin}. */
  static Scan scan(@Nullable Table table, TimeRanges ranges) {
    return new Scan(table, ranges);
  }

  /** In the order of time, without gap or overlap. */
  public List<Piece> pieces() {
    return new ArrayList<>(pieces);
  }

  /**
   * The scans that read the pieces, in the order of their begin; those of two tables may overlap.
   */
  public List<Scan> scans() {
    return new ArrayList<>(scans);
  }

  /** The sum of the costs of the scans. */
  public double cost() {
    return cost;
  }

  /** Whether only raw data is read. */
  public boolean isRaw() {
    for (Piece piece : pieces) {
      if (piece.table != null) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return pieces.toString();
  }
}
