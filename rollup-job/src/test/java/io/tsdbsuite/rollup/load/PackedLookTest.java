package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.SeriesText;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Packed rows beside plain ones. The window is the hours 2 to 5 of a day. */
class PackedLookTest {
  private static final long ASOF = 1763600400000L;

  /** 2025-11-19T00:00:00Z. */
  private static final long DAY = 1763510400;

  private static final byte[] KEY = HexFormat.of().parseHex("000001691d088000000100004d");
  private static final byte[] FAMILY = {'t'};

  private static RollupConfig config;

  private final PackedLook look = look();

  @BeforeAll
  static void parse() {
    config =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum":0, "count":1, "min":2, "max":3, "p99":4},
             "intervals": [
               {"table":"tsdb","preAggregationTable":"tsdb","interval":"1m","rowSpan":"1h",
                "defaultInterval":true},
               {"table":"r","preAggregationTable":"p","interval":"1h","rowSpan":"1d"}],
             "suite": {"values": [{"metrics":"*","intervals":"1h","aggregators":"p99"}],
                       "packed": {"1h":"x"}}}
            """);
  }

  private static PackedLook look() {
    return new PackedLook(
        new RowKey(StorageSchema.defaults()),
        config,
        config.interval("1h"),
        DAY + 2 * 3600,
        DAY + 5 * 3600,
        uid -> uid == 9);
  }

  private static Cell cell(byte[] qualifier, byte[] value) {
    return new KeyValue(KEY, FAMILY, qualifier, ASOF, value);
  }

  /** Plain cells of a slot. */
  private static List<Cell> plain(int slot, double sum) {
    return new ArrayList<>(
        List.of(
            cell(RollupCell.doubleQualifier(0, slot), RollupCell.doubleValue(sum)),
            cell(RollupCell.countQualifier(1, slot), RollupCell.countValue(60)),
            cell(RollupCell.doubleQualifier(2, slot), RollupCell.doubleValue(-1)),
            cell(RollupCell.doubleQualifier(3, slot), RollupCell.doubleValue(1))));
  }

  private static PackedRow row(String kind) {
    return new PackedRow(PackedRow.kind(kind), 24);
  }

  private static Cell part(PackedRow row) {
    byte[] value = row.value();
    return cell(row.qualifier(KEY, 0, KEY.length, value), value);
  }

  /** A part of slots 1, outside the window, and 2. */
  private static PackedRow four() {
    PackedRow row = row("");
    row.put(1, ASOF, 8, -1, 1, 60);
    row.put(2, ASOF, 7.5, -1, 1, 60);
    return row;
  }

  private void row(List<Cell> plain, Cell... packed) {
    assertThat(look.row(KEY, plain.toArray(Cell[]::new), packed, true)).isTrue();
  }

  private String text() {
    UidNames names =
        new UidNames() {
          @Override
          public boolean lookup(UidKind kind, long uid, ByteSlice out) {
            return false;
          }
        };
    return look.text(
        config.level("1h.packed"), new SeriesText(new RowKey(StorageSchema.defaults()), names));
  }

  @Test
  void equalRowsAndOtherTimes() {
    // Outside the window another sum, and none.
    List<Cell> plain = plain(2, 7.5);
    plain.addAll(plain(6, 1));
    row(plain, part(four()));
    assertThat(look.different()).isEmpty();
    assertThat(look.hasNothing()).isFalse();
    assertThat(text()).isEmpty();
    PackedRow p99 = row("p99");
    p99.put(3, ASOF, 0.5);
    byte[] other = KEY.clone();
    other[2] = 9;
    assertThat(look.row(other, new Cell[0], new Cell[] {part(p99)}, false)).isTrue();
  }

  @Test
  void aRowThatDiffersIsToBeReadAgain() {
    Cell[] plain = plain(2, 7).toArray(Cell[]::new);
    assertThat(look.row(KEY, plain, new Cell[] {part(four())}, false)).isFalse();
    assertThat(look.different()).isEmpty();
  }

  @Test
  void differencesAreNamed() {
    PackedRow p99 = row("p99");
    p99.put(4, ASOF, 0.5);
    List<Cell> plain = plain(2, 7);
    plain.addAll(plain(3, 1));
    row(plain, part(four()), part(p99));
    assertThat(look.different())
        .containsEntry(1L, TimeRanges.of((DAY + 2 * 3600) * 1000, (DAY + 5 * 3600) * 1000));
    assertThat(look.hasNothing()).isTrue();
    assertThat(text())
        .isEqualTo(
            "1h.packed: 3 slots of packed rows of table x must be as in table r, and are not; TSUID"
                + " 00000100000100004D at 2025-11-19T02:00:00Z: plain sum 7.0 min -1.0 max 1.0"
                + " count 60, packed sum 7.5 min -1.0 max 1.0 count 60; TSUID 00000100000100004D at"
                + " 2025-11-19T03:00:00Z: plain sum 1.0 min -1.0 max 1.0 count 60, packed nothing;"
                + " TSUID 00000100000100004D at 2025-11-19T04:00:00Z: plain no p99, packed p99"
                + " 0.5");
    PackedLook whole = look();
    whole.row(KEY, plain(2, 7.5).toArray(Cell[]::new), new Cell[] {part(four())}, true);
    whole.add(look);
    assertThat(whole.different()).isEqualTo(look.different());
    assertThat(whole.hasNothing()).as("one is equal").isFalse();
  }

  @Test
  void theNewestEntryCounts() {
    PackedRow newer = row("");
    newer.takeBack(2, ASOF + 1);
    row(List.of(), part(newer), part(four()));
    assertThat(look.different()).isEmpty();
    newer.put(2, ASOF + 2, 5, -1, 1, 60);
    row(plain(2, 5), part(four()), part(newer));
    assertThat(look.different()).isEmpty();
  }

  @Test
  void whatCannotBeComparedIsNoProof() {
    row(plain(2, 7.5).subList(0, 2), part(four()));
    assertThat(look.different()).hasSize(1);
    assertThat(text()).contains("3 slots", "the plain row cannot be packed: slot 2 must have all");
    PackedLook corrupt = look();
    Cell part = part(four());
    byte[] qualifier = new byte[11];
    qualifier[0] = 1;
    corrupt.row(KEY, new Cell[0], new Cell[] {part, cell(qualifier, new byte[] {1})}, true);
    assertThat(corrupt.different()).hasSize(1);
    assertThat(corrupt.hasNothing()).isTrue();
  }
}
