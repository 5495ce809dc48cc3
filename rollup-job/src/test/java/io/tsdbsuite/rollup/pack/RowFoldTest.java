package io.tsdbsuite.rollup.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.rollup.pack.PackBooks.Count;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.junit.jupiter.api.Test;

class RowFoldTest {
  private static final byte[] KEY = HexFormat.of().parseHex("000001691d088000000100004d");
  private static final long BASE = 0x691d0880L;
  private static final long ASOF = 1763600400000L;
  private static final int SLOTS = 24;

  /** SUM, COUNT, MIN, MAX, P99. */
  private static final int[] IDS = {0, 2, 3, 4, 9};

  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p99": 9}, "intervals": [
            {"table": "t", "preAggregationTable": "t", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "h", "preAggregationTable": "h", "interval": "1h", "rowSpan": "1d"}],
           "suite": {"values": [{"metrics": "*", "intervals": "1h", "aggregators": "p99"}]}}
          """);
  private static final RollupInterval HOUR = Objects.requireNonNull(CONFIG.interval("1h"));

  /** A column at a time. */
  private record Version(String qualifier, long timestamp) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
      int order = qualifier.compareTo(other.qualifier);
      return order == 0 ? Long.compare(other.timestamp, timestamp) : order;
    }
  }

  private final TreeMap<Version, byte[]> plain = new TreeMap<>();
  private final TreeMap<Version, byte[]> packed = new TreeMap<>();
  private PackBooks books = new PackBooks();
  private List<String> proof = List.of();

  private void plain(int slot, long time, double value) {
    for (int id : IDS) {
      byte[] qualifier =
          id == 2 ? RollupCell.countQualifier(id, slot) : RollupCell.doubleQualifier(id, slot);
      String hex = HexFormat.of().formatHex(qualifier);
      plain.keySet().removeIf(each -> each.qualifier.equals(hex));
      plain.put(
          new Version(hex, time),
          id == 2 ? RollupCell.countValue((long) value) : RollupCell.doubleValue(value + id));
    }
  }

  private void deletePlain(int slot) {
    plain
        .keySet()
        .removeIf(each -> RollupCell.offset(HexFormat.of().parseHex(each.qualifier), 0) == slot);
  }

  private static PackedRow row(String aggregator) {
    return new PackedRow(PackedRow.kind(aggregator), SLOTS);
  }

  private static void put(PackedRow row, int slot, long time, double value) {
    row.put(slot, time, value, value + 3, value + 4, (long) value);
  }

  private void part(PackedRow row) {
    byte[] value = row.value();
    byte[] qualifier = row.qualifier(KEY, 0, KEY.length, value);
    packed.put(new Version(HexFormat.of().formatHex(qualifier), row.asOf()), value);
  }

  /** A part of both kinds, as a writer of the slot's plain cells adds it. */
  private void part(int slot, long time, double value) {
    PackedRow four = row("");
    put(four, slot, time, value);
    part(four);
    PackedRow p99 = row("p99");
    p99.put(slot, time, value + 9);
    part(p99);
  }

  private void goneAt(int slot, long time) {
    for (String aggregator : List.of("", "p99")) {
      PackedRow row = row(aggregator);
      row.takeBack(slot, time);
      part(row);
    }
  }

  private List<Cell> fold(boolean deleteCorrupt) {
    return fold(plain, packed, deleteCorrupt);
  }

  private List<Cell> fold(
      Map<Version, byte[]> ofPlain, Map<Version, byte[]> ofPacked, boolean deleteCorrupt) {
    books = new PackBooks();
    RowFold fold = new RowFold(CONFIG, HOUR, deleteCorrupt, books);
    fold.begin(KEY);
    // What is read again counts once.
    ofPlain.forEach((of, value) -> give(of, value, fold.plain));
    fold.plain.restart();
    ofPlain.forEach((of, value) -> give(of, value, fold.plain));
    ofPacked.forEach((of, value) -> give(of, value, fold.packed));
    fold.packed.restart();
    ofPacked.forEach((of, value) -> give(of, value, fold.packed));
    List<Cell> cells = List.copyOf(fold.end(BASE));
    proof = fold.proof().stream().map(HexFormat.of()::formatHex).toList();
    assertThat(books.close()).isTrue();
    return cells;
  }

  private static void give(Version of, byte[] value, CellVisitor visitor) {
    byte[] q = HexFormat.of().parseHex(of.qualifier);
    visitor.cell(q, 0, q.length, value, 0, value.length, of.timestamp);
  }

  private void apply(List<Cell> cells) {
    // Delete markers hide the version that they name.
    for (Cell cell : cells) {
      Version of =
          new Version(HexFormat.of().formatHex(CellUtil.cloneQualifier(cell)), cell.getTimestamp());
      if (cell.getType() == Cell.Type.Put) {
        packed.put(of, CellUtil.cloneValue(cell));
      } else {
        assertThat(packed.remove(of)).isNotNull();
      }
    }
  }

  private void store(List<Cell> cells) {
    apply(cells);
    // Without the others the row is the same.
    Map<String, PackedRow> views = Map.of("", view(""), "p99", view("p99"));
    if (books.open().isEmpty()) {
      assertThat(packed.keySet()).extracting(Version::qualifier).containsAll(proof);
      packed.keySet().removeIf(of -> !proof.contains(of.qualifier));
      views.forEach(
          (name, view) -> {
            PackedRow of = view(name);
            for (int slot = 0; slot < SLOTS; slot++) {
              assertThat(of.isEqual(slot, view)).as("slot %s of %s", slot, name).isTrue();
            }
          });
    } else {
      assertThat(proof).isEmpty();
    }
  }

  private static long puts(List<Cell> cells) {
    return cells.stream().filter(cell -> cell.getType() == Cell.Type.Put).count();
  }

  private long count(Count what) {
    return books.count(what);
  }

  private PackedRow view(String aggregator) {
    PackedRow view = row(aggregator);
    packed.forEach(
        (of, value) -> {
          byte[] q = HexFormat.of().parseHex(of.qualifier);
          if (q[0] == PackedRow.kind(aggregator)) {
            try {
              view.add(KEY, 0, KEY.length, q, 0, q.length, value, 0, value.length);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        });
    return view;
  }

  /** That the view has these slots and values of the form of {@link #plain}, and no others. */
  private void requireView(double... values) {
    PackedRow four = view("");
    PackedRow p99 = view("p99");
    for (int slot = 0; slot < SLOTS; slot++) {
      double value = slot < values.length ? values[slot] : Double.NaN;
      assertThat(four.has(slot)).as("slot %s", slot).isEqualTo(!Double.isNaN(value));
      assertThat(p99.has(slot)).as("slot %s", slot).isEqualTo(!Double.isNaN(value));
      if (four.has(slot)) {
        assertThat(four.value(PackedRow.SUM, slot)).isEqualTo(value);
        assertThat(four.value(PackedRow.MAX, slot)).isEqualTo(value + 4);
        assertThat(four.count(slot)).isEqualTo((long) value);
        assertThat(p99.value(PackedRow.FURTHER, slot)).isEqualTo(value + 9);
      }
    }
  }

  @Test
  void thePastIsOnePartOfEachKind() {
    plain(0, ASOF, 5);
    plain(1, ASOF - 7000, 6);
    List<Cell> cells = fold(false);
    assertThat(cells).hasSize(2);
    assertThat(puts(cells)).isEqualTo(2);
    assertThat(count(Count.SLOTS_ADDED)).isEqualTo(4);
    assertThat(cells.get(0).getTimestamp()).isEqualTo(ASOF);
    store(cells);
    requireView(5, 6);
    assertThat(view("").asOf(1)).isEqualTo(ASOF - 7000);
    assertThat(books.oldest()).isEqualTo(ASOF - 7000);
    assertThat(fold(false)).isEmpty();
    assertThat(count(Count.SLOTS_EQUAL)).isEqualTo(4);
    assertThat(count(Count.PARTS_KEPT)).isEqualTo(2);
    assertThat(books.open()).isEmpty();
  }

  @Test
  void rowsOfManyPartsBecomeOnePart() {
    for (int slot = 0; slot < RowFold.MAX_PARTS; slot++) {
      plain(slot, ASOF + slot, slot + 1);
      part(slot, ASOF + slot, slot + 1);
    }
    assertThat(fold(false)).isEmpty();
    plain(4, ASOF - 1, 5);
    part(4, ASOF - 1, 5);
    List<Cell> cells = fold(false);
    assertThat(puts(cells)).isEqualTo(2);
    assertThat(cells).hasSize(2 + 2 * 5);
    assertThat(count(Count.PARTS_DELETED)).isEqualTo(10);
    store(cells);
    requireView(1, 2, 3, 4, 5);
    assertThat(packed).hasSize(2);
    assertThat(fold(false)).isEmpty();
  }

  @Test
  void aPartThatAddsNothingGoes() {
    plain(3, ASOF, 8);
    part(3, ASOF - 5, 7);
    part(3, ASOF, 8);
    goneAt(3, ASOF - 9);
    List<Cell> cells = fold(false);
    assertThat(puts(cells)).isZero();
    assertThat(cells).hasSize(4);
    store(cells);
    requireView(Double.NaN, Double.NaN, Double.NaN, 8);
    assertThat(packed).hasSize(2);
  }

  /** Its one part was folded with others before, and is still there. */
  @Test
  void aPartThatIsTheWholeViewStays() {
    plain(0, ASOF, 1);
    plain(1, ASOF, 2);
    store(fold(false));
    for (int i = 0; i < 6; i++) {
      part(0, ASOF - 10 + i, 9);
    }
    List<Cell> cells = fold(false);
    assertThat(puts(cells)).isZero();
    assertThat(cells).hasSize(12);
    store(cells);
    requireView(1, 2);
  }

  @Test
  void otherValuesAreReplacedUnlessTheyAreNewer() {
    plain(0, ASOF, 5);
    part(0, ASOF - 1, 4);
    plain(1, ASOF, 5);
    part(1, ASOF, 6);
    plain(2, ASOF, 5);
    part(2, ASOF, 4);
    plain(3, ASOF, 5);
    goneAt(3, ASOF);
    store(fold(false));
    assertThat(count(Count.SLOTS_ADDED)).isEqualTo(8);
    assertThat(books.open()).isEmpty();
    requireView(5, 5, 5, 5);

    part(0, ASOF + 10, 7);
    goneAt(1, ASOF + 10);
    List<Cell> cells = fold(false);
    assertThat(count(Count.SLOTS_UNDECIDED)).isEqualTo(4);
    assertThat(books.open()).containsExactly(BASE);
    assertThat(books.samples()).isNotEmpty();
    store(cells);
    requireView(7, Double.NaN, 5, 5);
    // What was not stored yet when the snapshots were taken.
    plain(0, ASOF + 10, 7);
    deletePlain(1);
    assertThat(puts(fold(false))).isZero();
    assertThat(books.open()).isEmpty();
  }

  /** Cells of other ids are no rollups; pack refuses them. */
  @Test
  void aPlainRowOfOtherIdsHasNoRollup() {
    for (int id : new int[] {5, 6, 7, 8}) {
      byte[] qualifier = RollupCell.doubleQualifier(id, 0);
      plain.put(new Version(HexFormat.of().formatHex(qualifier), ASOF), RollupCell.doubleValue(5));
    }
    part(0, ASOF, 5);
    assertThat(fold(false)).isNotEmpty();
    assertThat(books.hasRollups()).isFalse();
    plain(1, ASOF, 5);
    assertThat(fold(false)).isNotEmpty();
    assertThat(books.hasRollups()).isTrue();
    plain.remove(plain.firstKey());
    assertThat(fold(false)).isNotEmpty();
    assertThat(books.hasRollups()).isTrue();
  }

  @Test
  void whatThePlainRowLacksIsTakenBack() {
    part(2, ASOF, 5);
    plain(3, ASOF, 6);
    part(3, ASOF, 6);
    store(fold(false));
    assertThat(count(Count.SLOTS_TAKEN_BACK)).isEqualTo(2);
    assertThat(view("").isTakenBack(2)).isTrue();
    assertThat(view("").asOf(2)).isEqualTo(ASOF);
    assertThat(fold(false)).isEmpty();
    // A later reading counts.
    part(2, ASOF + 1, 5);
    requireView(Double.NaN, Double.NaN, 5, 6);
  }

  /** It came between the snapshots and the writing. */
  @Test
  void aRepairSurvives() {
    plain(0, ASOF, 5);
    part(1, ASOF, 3);
    List<Cell> cells = fold(false);
    part(0, ASOF + 1000, 8);
    part(1, ASOF + 1000, 9);
    apply(cells);
    requireView(8, 9);
  }

  @Test
  void aPartThatCannotBeReadStaysUnlessTheUserAsks() {
    plain(0, ASOF, 5);
    part(0, ASOF, 5);
    packed.put(new Version("0a", ASOF), new byte[] {1});
    packed.put(new Version("01019a9ec67e801e8c9688", ASOF), new byte[] {1});
    assertThat(fold(false)).isEmpty();
    assertThat(count(Count.PARTS_CORRUPT)).isEqualTo(2);
    assertThat(count(Count.PARTS_KEPT)).isEqualTo(4);
    assertThat(books.open()).containsExactly(BASE);
    assertThat(books.samples()).hasSize(1);

    List<Cell> cells = fold(true);
    assertThat(puts(cells)).isZero();
    assertThat(count(Count.PARTS_DELETED)).isEqualTo(2);
    assertThat(books.open()).isEmpty();
    store(cells);
    requireView(5);
  }

  /** The new part has its column: a marker would hide it. */
  @Test
  void aBrokenValueIsReplaced() {
    for (boolean deleteCorrupt : List.of(false, true)) {
      plain(0, ASOF, 5);
      part(0, ASOF, 5);
      packed.get(packed.firstKey())[3] ^= 1;
      List<Cell> cells = fold(deleteCorrupt);
      assertThat(cells).hasSize(1);
      assertThat(puts(cells)).isEqualTo(1);
      assertThat(count(Count.PARTS_CORRUPT)).isEqualTo(1);
      assertThat(count(Count.PARTS_DELETED)).isEqualTo(1);
      assertThat(books.open()).isEmpty();
      store(cells);
      requireView(5);
      assertThat(packed).hasSize(2);
      packed.clear();
    }
  }

  /** The plain row says nothing then of what queries may read of the slot. */
  @Test
  void besidePartialSlotsNothingIsTakenBack() {
    plain(0, ASOF, 5);
    plain.remove(plain.firstKey());
    part(0, ASOF, 5);
    part(1, ASOF, 6);
    store(fold(false));
    assertThat(count(Count.SLOTS_TAKEN_BACK)).isZero();
    assertThat(count(Count.SLOTS_UNPACKABLE)).isPositive();
    assertThat(books.open()).containsExactly(BASE);
    assertThat(view("").has(0)).isTrue();
  }

  @Test
  void partsOfOtherAggregatorsStay() {
    PackedRow p50 = row("p50");
    p50.put(0, ASOF, 1);
    part(p50);
    assertThat(fold(true)).isEmpty();
    assertThat(count(Count.PARTS_OTHER)).isEqualTo(1);
  }

  /**
   * Writers whose plain cells come before their parts, snapshots between, a fold that is stored
   * later, in part or not at all.
   */
  @Test
  void anyHistoryEndsEqual() {
    Random random = Seed.random();
    for (int i = 0; i < Seed.times(300, 20_000); i++) {
      plain.clear();
      packed.clear();
      long time = ASOF;
      for (int round = 0; round < 3; round++) {
        time = write(random, time, random.nextInt(12), random.nextInt(4) > 0);
        TreeMap<Version, byte[]> snapshot = new TreeMap<>(packed);
        time = write(random, time, random.nextInt(4), true);
        TreeMap<Version, byte[]> later = new TreeMap<>(plain);
        time = write(random, time, random.nextInt(4), true);
        List<Cell> cells = new ArrayList<>(fold(later, snapshot, false));
        assertThat(books.open()).isEmpty();
        if (random.nextInt(4) > 0) {
          storeAgain(cells);
          // Again, from the same snapshots.
          storeAgain(fold(later, snapshot, false));
          requireEqual("round " + round + " of " + i);
        }
      }
    }
  }

  /** As {@link #store}, but what is deleted may be gone. */
  private void storeAgain(List<Cell> cells) {
    for (Cell cell : cells) {
      String hex = HexFormat.of().formatHex(CellUtil.cloneQualifier(cell));
      Version of = new Version(hex, cell.getTimestamp());
      if (cell.getType() == Cell.Type.Put) {
        packed.put(of, CellUtil.cloneValue(cell));
      } else {
        packed.remove(of);
      }
    }
  }

  private long write(Random random, long from, int writes, boolean packs) {
    long time = from;
    for (int i = 0; i < writes; i++) {
      time += random.nextInt(3);
      int slot = random.nextInt(6);
      double value = random.nextInt(5);
      boolean isNewer = newestPlain(slot) < time;
      if (random.nextInt(5) == 0 && isNewer) {
        deletePlain(slot);
        if (packs) {
          goneAt(slot, time);
        }
        time++;
      } else if (isNewer) {
        plain(slot, time, value);
        if (packs) {
          part(slot, time, value);
        }
      }
    }
    return time;
  }

  private long newestPlain(int slot) {
    return plain.keySet().stream()
        .filter(each -> RollupCell.offset(HexFormat.of().parseHex(each.qualifier), 0) == slot)
        .mapToLong(Version::timestamp)
        .max()
        .orElse(0);
  }

  private void requireEqual(String what) {
    double[] values = new double[SLOTS];
    Arrays.fill(values, Double.NaN);
    plain.forEach(
        (of, value) -> {
          byte[] q = HexFormat.of().parseHex(of.qualifier);
          if (q[0] == 0) {
            values[RollupCell.offset(q, 0)] = RollupCell.decode(q, 0, value, 0, value.length);
          }
        });
    try {
      requireView(values);
    } catch (AssertionError e) {
      throw new AssertionError(what + ", " + Seed.describe() + ": " + e.getMessage(), e);
    }
  }
}
