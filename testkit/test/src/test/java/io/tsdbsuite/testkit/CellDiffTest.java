package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CellDiffTest {
  private static RawCell cell(int row, int qualifier, long timestamp, int... value) {
    byte[] bytes = new byte[value.length];
    for (int i = 0; i < value.length; i++) {
      bytes[i] = (byte) value[i];
    }
    return new RawCell(
        new byte[] {(byte) row}, "t", new byte[] {(byte) qualifier}, timestamp, bytes);
  }

  @Test
  void orderAndTimestampsDoNotCount() {
    List<RawCell> cells = List.of(cell(1, 1, 5, 1), cell(0xff, 1, 5, 2));
    List<RawCell> others = List.of(cell(0xff, 1, 6, 2), cell(1, 1, 7, 1));
    assertThat(CellDiff.of(cells, others, 10)).isEmpty();
    assertThat(TableDigest.of(cells))
        .isEqualTo(TableDigest.of(List.of(others.get(1), others.get(0))));
  }

  @Test
  void everyKindOfDifferenceIsSaid() {
    List<RawCell> expected = List.of(cell(1, 1, 0, 1), cell(1, 2, 0, 2), cell(2, 1, 0, 3));
    List<RawCell> found = List.of(cell(1, 2, 0, 9), cell(2, 1, 0, 3), cell(3, 1, 0, 3));
    assertThat(CellDiff.of(expected, found, 10))
        .containsExactly(
            "missing 01 t:01 @0 01",
            "value 01 t:02 @0 09 instead of 02",
            "unexpected 03 t:01 @0 03");
    assertThat(CellDiff.of(expected, found, 1)).hasSize(1);
    assertThat(CellDiff.of(expected, List.of(), 10)).hasSize(3);
  }

  @Test
  void digestsCountAndTellTablesApart() {
    TableDigest digest = TableDigest.of(List.of(cell(1, 1, 0, 1), cell(1, 2, 0), cell(2, 1, 0)));
    assertThat(digest.rows()).isEqualTo(2);
    assertThat(digest.cells()).isEqualTo(3);
    assertThat(digest)
        .isNotEqualTo(TableDigest.of(List.of(cell(1, 1, 0, 2), cell(1, 2, 0), cell(2, 1, 0))));
    assertThat(TableDigest.of(List.of(cell(1, 1, 0, 1, 1))).sha256())
        .isNotEqualTo(TableDigest.of(List.of(cell(1, 1, 0, 1), cell(1, 1, 0))).sha256());
  }
}
