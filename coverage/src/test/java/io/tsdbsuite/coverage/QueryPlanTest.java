package io.tsdbsuite.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans, each compared with one that goes through every single time. */
class QueryPlanTest {
  private static final int PLANS = 30_000;

  /** The longest range that is drawn, in the unit of the test; widths are small numbers of it. */
  private static final int RANGE = 240;

  private static final long[] WIDTHS = {2, 3, 5, 6, 10, 12, 24, 30, 60};

  /** A drawn case. */
  private static final class Case {
    private final long from;
    private final long to;
    private final Buckets buckets;

    /** For each time from {@code from} on the start of its bucket; {@code MIN_VALUE}: none. */
    private final long[] bucketOf;

    private final List<QueryPlan.Table> tables = new ArrayList<>();
    private final double seek;
    private final double rawCell;

    Case(Random random) {
      from = random.nextInt(200) - 100L;
      to = from + 1 + random.nextInt(RANGE);
      bucketOf = new long[(int) (to - from)];
      buckets = random.nextInt(3) == 0 ? edges(random) : every(random);
      List<Long> widths = new ArrayList<>();
      for (long width : WIDTHS) {
        widths.add(width);
      }
      Collections.shuffle(widths, random);
      for (long width : widths.subList(0, random.nextInt(5))) {
        tables.add(new QueryPlan.Table(width + "u", width, proven(random)));
      }
      seek = random.nextInt(3) * 4;
      rawCell = 1 + random.nextInt(4);
    }

    private Buckets every(Random random) {
      long width = random.nextBoolean() ? 1 + random.nextInt(70) : WIDTHS[random.nextInt(9)];
      for (int i = 0; i < bucketOf.length; i++) {
        bucketOf[i] = Math.floorDiv(from + i, width) * width;
      }
      return Buckets.every(width);
    }

    private Buckets edges(Random random) {
      long[] edges = new long[2 + random.nextInt(5)];
      long time = from - 20 + random.nextInt(40);
      for (int i = 0; i < edges.length; i++) {
        edges[i] = time;
        time += 1 + random.nextInt(80);
      }
      for (int i = 0; i < bucketOf.length; i++) {
        bucketOf[i] = Long.MIN_VALUE;
        for (int k = 0; k + 1 < edges.length; k++) {
          if (from + i >= edges[k] && from + i < edges[k + 1]) {
            bucketOf[i] = edges[k];
          }
        }
      }
      return Buckets.between(edges);
    }

    private TimeRanges proven(Random random) {
      TimeRanges proven = TimeRanges.none();
      for (int i = random.nextInt(4); i > 0; i--) {
        long begin = from - 70 + random.nextInt(RANGE);
        proven = proven.plus(TimeRanges.of(begin, begin + random.nextInt(RANGE)));
      }
      return proven;
    }

    double cost(QueryPlan.@Nullable Table table, long begin, long end) {
      return seek
          + (table == null ? (end - begin) * rawCell : (double) (end - begin) / table.width());
    }

    /** Which table each time is read from, for a selection of tables, the widest first. */
    QueryPlan.@Nullable Table[] read(List<QueryPlan.Table> selected) {
      QueryPlan.@Nullable Table[] read = new QueryPlan.Table[bucketOf.length];
      for (QueryPlan.Table table : selected) {
        for (long start = first(table.width()); start + table.width() <= to; ) {
          if (isFree(read, table, start)) {
            for (long time = start; time < start + table.width(); time++) {
              read[(int) (time - from)] = table;
            }
          }
          start += table.width();
        }
      }
      return read;
    }

    private long first(long width) {
      long start = from;
      while (Math.floorMod(start, width) != 0) {
        start++;
      }
      return start;
    }

    private boolean isFree(QueryPlan.@Nullable Table[] read, QueryPlan.Table table, long start) {
      for (long time = start; time < start + table.width(); time++) {
        int i = (int) (time - from);
        if (read[i] != null
            || bucketOf[i] == Long.MIN_VALUE
            || bucketOf[i] != bucketOf[(int) (start - from)]
            || !table.proven().contains(time, time + 1)) {
          return false;
        }
      }
      return true;
    }

    /** What lies between two pieces of a table is read over where that is cheaper. */
    double cost(QueryPlan.@Nullable Table[] read) {
      Map<QueryPlan.@Nullable Table, Long> ends = new HashMap<>();
      double cost = 0;
      int begin = 0;
      for (int i = 1; i <= read.length; i++) {
        if (i == read.length || read[i] != read[begin]) {
          double alone = cost(read[begin], from + begin, from + i);
          Long end = ends.put(read[begin], from + i);
          cost += end == null ? alone : Math.min(alone, cost(read[begin], end, from + i) - seek);
          begin = i;
        }
      }
      return cost;
    }

    double cheapest() {
      double cheapest = Double.MAX_VALUE;
      for (int selection = 0; selection < 1 << tables.size(); selection++) {
        List<QueryPlan.Table> selected = new ArrayList<>();
        for (int i = 0; i < tables.size(); i++) {
          if ((selection & 1 << i) != 0) {
            selected.add(tables.get(i));
          }
        }
        selected.sort((a, b) -> Long.compare(b.width(), a.width()));
        cheapest = Math.min(cheapest, cost(read(selected)));
      }
      return cheapest;
    }
  }

  @Test
  void aPlanIsExactAndTheCheapestOfAllSelectionsOfTables() {
    Random random = Seed.random();
    int withRollups = 0;
    for (int n = 0; n < PLANS; n++) {
      Case drawn = new Case(random);
      String which = Seed.describe(n);
      QueryPlan plan =
          QueryPlan.cheapest(
              drawn.from, drawn.to, drawn.buckets, drawn.tables, drawn::cost, Integer.MAX_VALUE);
      requireExact(which, drawn, plan);
      requireScans(which, plan);
      int most = 1 + random.nextInt(5);
      QueryPlan limited =
          QueryPlan.cheapest(drawn.from, drawn.to, drawn.buckets, drawn.tables, drawn::cost, most);
      requireExact(which, drawn, limited);
      requireScans(which, limited);
      assertThat(limited.scans().size()).as("%s%s", which, limited).isLessThanOrEqualTo(most);
      assertThat(limited.cost()).isGreaterThanOrEqualTo(plan.cost() - 1e-9);
      double cheapest = drawn.cheapest();
      if (Math.abs(plan.cost() - cheapest) > 1e-9) {
        assertThat(plan.cost()).as("%s%s", which, plan).isEqualTo(cheapest);
      }
      withRollups += plan.isRaw() ? 0 : 1;
    }
    assertThat(withRollups).isGreaterThan(PLANS / 10);
  }

  /** The scans of a table read its pieces and nothing else. */
  private static void requireScans(String which, QueryPlan plan) {
    Map<QueryPlan.@Nullable Table, TimeRanges> pieces = new HashMap<>();
    for (QueryPlan.Piece piece : plan.pieces()) {
      pieces.merge(piece.table(), TimeRanges.of(piece.from(), piece.to()), TimeRanges::plus);
    }
    Map<QueryPlan.@Nullable Table, TimeRanges> scans = new HashMap<>();
    for (QueryPlan.Scan scan : plan.scans()) {
      scans.merge(scan.table(), scan.ranges(), TimeRanges::plus);
    }
    if (!pieces.equals(scans)) {
      throw new AssertionError(which + "scans must read the pieces: " + plan + " " + scans);
    }
  }

  @Test
  void piecesOfATableAreOneScanIfThatIsCheaper() {
    long hour = 3_600_000;
    TimeRanges holes = TimeRanges.of(0, 5 * hour).plus(TimeRanges.of(6 * hour, 9 * hour));
    List<QueryPlan.Table> tables = List.of(new QueryPlan.Table("1h", hour, holes));
    QueryPlan.Costs costs =
        (table, from, to) -> 10 + (double) (to - from) / hour * (table == null ? 100 : 1);
    QueryPlan plan =
        QueryPlan.cheapest(0, 9 * hour, Buckets.every(hour), tables, costs, Integer.MAX_VALUE);
    assertThat(plan.pieces()).hasSize(3);
    assertThat(plan.scans())
        .extracting("ranges")
        .containsExactly(holes, TimeRanges.of(5 * hour, 6 * hour));
    assertThat(plan.cost()).isEqualTo(10 + 9 + 10 + 100);
    // 90 minutes do not consist of hours.
    assertThat(ninetyMinutes(costs, 9).scans()).hasSize(4);
    assertThat(ninetyMinutes(costs, 3).scans()).hasSize(3);
    assertThat(ninetyMinutes(costs, 1)).hasToString("[raw [0, 32400000)]");
  }

  private static QueryPlan ninetyMinutes(QueryPlan.Costs costs, int maxScans) {
    long hour = 3_600_000;
    QueryPlan.Table hours = new QueryPlan.Table("1h", hour, TimeRanges.of(0, 9 * hour));
    return QueryPlan.cheapest(
        0, 9 * hour, Buckets.every(hour * 3 / 2), List.of(hours), costs, maxScans);
  }

  /** Without AssertJ for each time: there are millions. */
  private static void requireExact(String which, Case drawn, QueryPlan plan) {
    long time = drawn.from;
    QueryPlan.@Nullable Piece last = null;
    for (QueryPlan.Piece piece : plan.pieces()) {
      if (piece.from() != time
          || piece.to() <= piece.from()
          || (last != null && last.table() == piece.table())) {
        throw new AssertionError(which + "pieces must follow each other: " + plan);
      }
      if (piece.table() != null) {
        requireExact(which, drawn, piece, piece.table());
      }
      time = piece.to();
      last = piece;
    }
    if (time != drawn.to) {
      throw new AssertionError(which + "pieces must be the range: " + plan);
    }
  }

  private static void requireExact(
      String which, Case drawn, QueryPlan.Piece piece, QueryPlan.Table table) {
    if (Math.floorMod(piece.from(), table.width()) != 0
        || Math.floorMod(piece.to(), table.width()) != 0) {
      throw new AssertionError(which + "a rollup is read whole: " + piece);
    }
    BitSet wrong = new BitSet();
    for (long time = piece.from(); time < piece.to(); time++) {
      long start = time - Math.floorMod(time, table.width());
      long bucket = drawn.bucketOf[(int) (time - drawn.from)];
      if (bucket == Long.MIN_VALUE
          || bucket != drawn.bucketOf[(int) (start - drawn.from)]
          || !table.proven().contains(time, time + 1)) {
        wrong.set((int) (time - drawn.from));
      }
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(
          which
              + piece
              + " must be proven and of one bucket each, is not from "
              + drawn.from
              + " at "
              + wrong);
    }
  }

  @Test
  void daysThenHoursThenRawData() {
    long hour = 3_600_000;
    long day = 24 * hour;
    QueryPlan.Table hours = new QueryPlan.Table("1h", hour, TimeRanges.of(0, 3 * day + 5 * hour));
    QueryPlan.Table days = new QueryPlan.Table("1d", day, TimeRanges.of(0, 3 * day));
    QueryPlan plan =
        QueryPlan.cheapest(
            22 * hour + 1,
            4 * day,
            Buckets.every(day),
            List.of(hours, days),
            (table, from, to) -> 1 + (to - from) / (table == null ? 1000.0 : table.width()),
            Integer.MAX_VALUE);
    assertThat(plan)
        .hasToString(
            "[raw [79200001, 82800000), 1h [82800000, 86400000), 1d [86400000, 259200000), "
                + "1h [259200000, 277200000), raw [277200000, 345600000)]");
    assertThat(plan.isRaw()).isFalse();
  }

  @Test
  void aTableThatIsNotProvenIsNotRead() {
    QueryPlan.Table hours = new QueryPlan.Table("1h", 3_600_000, TimeRanges.none());
    QueryPlan plan =
        QueryPlan.cheapest(
            0,
            7_200_000,
            Buckets.every(3_600_000),
            List.of(hours),
            (table, from, to) -> to - from,
            9);
    assertThat(plan).hasToString("[raw [0, 7200000)]");
    assertThat(plan.isRaw()).isTrue();
    assertThat(QueryPlan.raw(0, 7_200_000, (table, from, to) -> to - from).toString())
        .isEqualTo(plan.toString());
  }
}
