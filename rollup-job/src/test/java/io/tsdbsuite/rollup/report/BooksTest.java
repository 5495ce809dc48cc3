package io.tsdbsuite.rollup.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BooksTest {
  private final Books books = new Books();

  @Test
  void closeWhenEveryRowAndPointIsAccountedFor() {
    books.rowRead();
    books.contents(10, 2, 0);
    books.rowEmitted(7, 1, 1);
    books.rowRead();
    books.rowSkipped(SkipReason.OUTSIDE_WINDOW, 0);
    books.rowRead();
    books.contents(4, 1, 0);
    books.rowFailed(FailReason.UNRESOLVED_UID, 3, "row x");
    books.messages(4, 4);
    assertThat(books.close()).isTrue();
    assertThat(books.rowsRead()).isEqualTo(3);
    assertThat(books.rowsFailed()).isEqualTo(1);
  }

  @Test
  void doNotCloseWhenARowIsLost() {
    books.rowRead();
    assertThat(books.close()).isFalse();
  }

  @Test
  void doNotCloseWhenAPointIsLost() {
    books.rowRead();
    books.contents(10, 0, 0);
    books.rowEmitted(9, 0, 1);
    assertThat(books.close()).isFalse();
  }

  @Test
  void doNotCloseWhenAMessageIsNotAcknowledged() {
    books.messages(4, 3);
    assertThat(books.close()).isFalse();
  }

  @Test
  void addUpAndKeepAFewSamples() {
    for (int task = 0; task < 3; task++) {
      Books other = new Books();
      for (int row = 0; row < 4; row++) {
        other.rowRead();
        other.contents(2, 0, 0);
        other.rowFailed(FailReason.CORRUPT_CELL, 2, "row " + task + "." + row);
      }
      books.add(other);
    }
    assertThat(books.failed(FailReason.CORRUPT_CELL)).isEqualTo(12);
    assertThat(books.pointsInFailedRows()).isEqualTo(24);
    assertThat(books.samples().get(FailReason.CORRUPT_CELL))
        .containsExactly("row 0.0", "row 0.1", "row 0.2", "row 0.3", "row 1.0");
    assertThat(books.close()).isTrue();
  }
}
