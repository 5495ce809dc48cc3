package io.tsdbsuite.format.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import org.junit.jupiter.api.Test;

class PlainRowTest {
  private static final long ASOF = 1763600400000L;
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum":0, "min":2, "max":3, "count":7, "avg":8, "p99":9},
           "intervals": [
             {"table":"raw","preAggregationTable":"p","interval":"1m","rowSpan":"1h",
              "defaultInterval":true},
             {"table":"t","preAggregationTable":"q","interval":"1h","rowSpan":"1d"}],
           "suite": {"values": [{"metrics":"*", "intervals":"1h", "aggregators":"p99"}]}}
          """);
  private static final RollupInterval HOUR = CONFIG.interval("1h");

  private final PlainRow plain = new PlainRow(CONFIG, HOUR);

  /** A cell, as hex: id or name, then offset and flags. */
  private boolean cell(String qualifier, String value, long timestamp) {
    byte[] q = Hex.bytes("ff" + qualifier);
    byte[] v = Hex.bytes("ff" + value);
    return plain.cell(q, 1, q.length - 1, v, 1, v.length - 1, timestamp);
  }

  /** Sum 90.5, min 0.25, max 3, count 60 of slot 2. */
  private void four() {
    cell("00 002f", "4056a00000000000", ASOF);
    cell("02 002f", "3fd0000000000000", ASOF);
    cell("03 002f", "4008000000000000", ASOF - 1);
    cell("07 0027", "000000000000003c", ASOF);
  }

  private static PackedRow row(String kind) {
    return new PackedRow(PackedRow.kind(kind), HOUR.intervalsPerRow());
  }

  private PackedRow packed(String kind) {
    PackedRow row = row(kind);
    plain.addTo(row);
    return row;
  }

  private static PackedRow expected(double sum) {
    PackedRow row = row("");
    row.put(2, ASOF, sum, 0.25, 3, 60);
    return row;
  }

  @Test
  void valuesOfEachKind() {
    four();
    assertThat(cell("09 001f", "3fb999999999999a", ASOF - 5)).isTrue();
    assertThat(plain.kinds()).containsExactly("", "p99");
    PackedRow p99 = row("p99");
    p99.put(1, ASOF - 5, 0.1);
    assertThat(packed("").value()).isEqualTo(expected(90.5).value());
    assertThat(packed("p99").value()).isEqualTo(p99.value());
    assertThat(plain.leftOut()).isZero();
    assertThat(plain.problem()).isEmpty();
    plain.clear();
    assertThat(packed("").isEmpty()).isTrue();
    assertThat(packed("p99").isEmpty()).isTrue();
    PackedRow p50 = row("p50");
    cell("09 001f", "3fb999999999999a", ASOF);
    assertThatThrownBy(() -> plain.addTo(p50)).hasMessageContaining("kind 2");
  }

  @Test
  void theNewestAndWidestCellCounts() {
    four();
    // A float and an integer of one byte, as a TSD writes them.
    cell("00 002b", "42b40000", ASOF - 1);
    cell("00 0020", "05", ASOF);
    assertThat(packed("").isEqual(2, expected(90.5))).isTrue();
    // 2.4.0: "sum:".
    cell("73756d3a 0020", "05", ASOF + 1);
    PackedRow newer = packed("");
    assertThat(newer.isEqual(2, expected(5))).isTrue();
    assertThat(newer.asOf(2)).isEqualTo(ASOF + 1);
  }

  @Test
  void cellsOfOthers() {
    assertThat(cell("08 002f", "4056a00000000000", ASOF)).isFalse();
    assertThat(cell("80 002f", "4056a00000000000", ASOF)).isFalse();
    assertThat(cell("6176673a 002f", "4056a00000000000", ASOF)).isFalse();
    assertThat(cell("636f766572616765", "00", ASOF)).isFalse();
    assertThat(cell("", "", ASOF)).isFalse();
    assertThat(packed("").isEmpty()).isTrue();
    assertThat(plain.leftOut()).isZero();
  }

  @Test
  void slotsThatNoPackedRowHasAreSaid() {
    cell("00 002f", "4056a00000000000", ASOF);
    cell("07 0027", "000000000000003c", ASOF);
    assertThat(packed("").isEmpty()).isTrue();
    assertThat(plain.leftOut()).isOne();
    assertThat(plain.problem())
        .isEqualTo("slot 2 must have all of sum, min, max and count, found 2");

    plain.clear();
    four();
    cell("00 002f", "4056a0", ASOF - 7);
    cell("00 002f", "4056a00000000000", ASOF + 9);
    assertThat(packed("").isEmpty()).isTrue();
    assertThat(plain.leftOut()).isOne();
    assertThat(plain.problem()).startsWith("slot 2 sum: rollup value must have the legal length");

    plain.clear();
    four();
    cell("00 018f", "4056a00000000000", ASOF);
    assertThat(packed("").value()).isEqualTo(expected(90.5).value());
    assertThat(plain.leftOut()).isOne();
    assertThat(plain.problem()).isEqualTo("slot 24 must be below 24");

    plain.clear();
    four();
    cell("07 0027", "000000000000003c", 1L << 48);
    assertThat(packed("").isEmpty()).isTrue();
    assertThat(plain.problem()).startsWith("slot 2 must have a timestamp of 48 bits");
  }

  @Test
  void equality() {
    PackedRow one = expected(90.5);
    PackedRow other = row("");
    other.put(2, ASOF - 1, 90.5, 0.25, 3, 60);
    other.put(3, ASOF, 0.0, 0, 0, 1);
    assertThat(one.isEqual(2, other)).isTrue();
    assertThat(one.isEqual(3, other)).isFalse();
    assertThat(one.isEqual(4, other)).isTrue();
    one.put(3, ASOF, -0.0, 0, 0, 1);
    assertThat(one.isEqual(3, other)).isFalse();
    one.takeBack(3, ASOF);
    other.clear();
    assertThat(one.isEqual(3, other)).isTrue();
    assertThat(one.isEqual(2, other)).isFalse();
  }
}
