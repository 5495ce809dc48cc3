package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.rollup.RollupCell;
import org.junit.jupiter.api.Test;

class OtherWidthsTest {
  private static final int COUNT = 2;
  private static final byte[] ROW = {0, 0, 1};

  @Test
  void cellsOfOurOwnWidthsAreFine() throws InterruptedException {
    OtherWidths found = new OtherWidths(1, COUNT);
    OtherWidths.Table table = new OtherWidths.Table();
    found.count(table, ROW, RollupCell.doubleQualifier(0, 5));
    found.count(table, ROW, RollupCell.countQualifier(COUNT, 5));
    // No cell of 2.4: another matter.
    found.count(table, ROW, new byte[] {'s', 'u', 'm', ':', 0, 0});
    assertThat(found.await(0)).isFalse();
    found.done("t", table);
    assertThat(found.await(0)).isTrue();
    assertThat(found.found()).isNull();
    assertThat(found.cells()).isZero();
  }

  @Test
  void everyOtherWidthIsFound() {
    byte[][] others = {
      RollupCell.of(0, 5, false, 1),
      RollupCell.of(0, 5, false, 8),
      RollupCell.of(0, 5, true, 4),
      RollupCell.of(COUNT, 5, false, 4),
      RollupCell.of(COUNT, 5, true, 8)
    };
    OtherWidths found = new OtherWidths(2, COUNT);
    OtherWidths.Table table = new OtherWidths.Table();
    found.count(table, ROW, RollupCell.doubleQualifier(0, 5));
    for (byte[] other : others) {
      found.count(table, ROW, other);
    }
    found.done("t2", table);
    found.done("t1", new OtherWidths.Table());
    assertThat(found.cells()).isEqualTo(others.length);
    assertThat(found.found())
        .isEqualTo("5 of 6 cells in t2, for example row 000001 qualifier 000050");
  }

  @Test
  void aTableThatCouldNotBeLookedAtIsNotTakenForAGoodOne() throws InterruptedException {
    OtherWidths found = new OtherWidths(1, COUNT);
    found.failed("t", new IllegalStateException("no answer"));
    assertThat(found.await(0)).isTrue();
    assertThat(found.cells()).isZero();
    assertThat(found.found())
        .isEqualTo("t could not be scanned: java.lang.IllegalStateException: no answer");
  }

  @Test
  void withoutTablesThereIsNothingToWaitFor() throws InterruptedException {
    assertThat(OtherWidths.none().await(0)).isTrue();
    assertThat(OtherWidths.none().found()).isNull();
  }
}
