package io.tsdbsuite.bench.quick;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuickTableTest {
  private final QuickTable table = new QuickTable();

  @Test
  void tellsWhatMovedByMoreThanAFifth() {
    assertThat(table.row("same", 5, 5.0)).doesNotContain("moved");
    assertThat(table.row("little", 5.9, 5.0)).contains("5.90x", "5.00x").doesNotContain("moved");
    assertThat(table.row("up", 6.1, 5.0)).contains("moved by +22 %: the suite is faster");
    assertThat(table.row("down", 3.9, 5.0)).contains("moved by -22 %: the suite is slower");
    assertThat(table.moved()).isEqualTo(2);
  }

  @Test
  void aNewRatioHasNotMoved() {
    assertThat(table.row("new", 5, null)).contains("5.00x", "none");
    assertThat(table.moved()).isZero();
  }

  @Test
  void aThirdSlowerIsTold() {
    assertThat(QuickTable.isSlower(0.074, 0.1, true)).isTrue();
    assertThat(QuickTable.isSlower(0.076, 0.1, true)).isFalse();
    assertThat(QuickTable.isSlower(0.033, 0.1, false)).isTrue();
    assertThat(QuickTable.isSlower(0.034, 0.1, false)).isFalse();
    assertThat(QuickTable.isSlower(0.01, null, true)).isFalse();
  }
}
