package io.tsdbsuite.rollup.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BooksTest {
  private final Books books = new Books();

  @Test
  void closeWhenEveryRowAndPointIsAccountedFor() {
    books.rowRead();
    books.contents(10, 2, 0);
    books.rowEmitted(7, 1);
    books.rowRead();
    books.rowSkipped(SkipReason.OUTSIDE_WINDOW, 0);
    books.rowRead();
    books.contents(4, 1, 0);
    books.rowFailed(FailReason.UNRESOLVED_UID, 3, "row x");
    books.messages(4, 4);
    assertThat(books.close()).isTrue();
    assertThat(books.count(Count.ROWS_READ)).isEqualTo(3);
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
    books.rowEmitted(9, 0);
    assertThat(books.close()).isFalse();
  }

  @Test
  void doNotCloseWhenAMessageIsNotAcknowledged() {
    books.messages(4, 3);
    assertThat(books.close()).isFalse();
  }

  @Test
  void doNotCloseWhenADayIsLost() {
    books.dayRead();
    assertThat(books.close()).isFalse();
    books.dayEmitted();
    assertThat(books.close()).isTrue();
  }

  /** A day that lacks a row has its cause among the rows; one that fails by itself has not. */
  @Test
  void daysThatFailAreNoRows() {
    for (int i = 0; i < 7; i++) {
      int day = i;
      books.dayRead();
      books.dayFailed(FailReason.INCOMPLETE_DAY, () -> "day " + day);
    }
    books.dayRead();
    books.dayFailed(FailReason.FAILED_DAY, () -> "infinite");
    assertThat(books.close()).isTrue();
    assertThat(books.rowsFailed()).isZero();
    assertThat(books.daysFailed()).isEqualTo(8);
    assertThat(books.failures()).isEqualTo(1);
    assertThat(books.samples().get(FailReason.INCOMPLETE_DAY)).hasSize(Books.SAMPLES);
    assertThat(books.samples().get(FailReason.FAILED_DAY)).containsExactly("infinite");
  }

  /** One row is a million rows where it is a block. */
  @Test
  void corruptBlocksAreLimitedApart() {
    books.rowRead();
    books.rowFailed(FailReason.UNREADABLE_BLOCK, 0, "block");
    assertThat(books.close()).isTrue();
    assertThat(books.failures()).isZero();
    assertThat(books.blocksFailed()).isEqualTo(1);
    assertThat(new FailureLimits(1_000_000, 0).areExceededBy(books)).isTrue();
    assertThat(new FailureLimits(0, 1).areExceededBy(books)).isFalse();
    assertThat(new FailureLimits(5, 1).less(books)).isEqualTo(new FailureLimits(5, 0));
    books.rowRead();
    books.rowFailed(FailReason.BESIDE_UNREADABLE_BLOCK, 0, "the block is counted");
    assertThat(books.rowsFailed()).isEqualTo(2);
    assertThat(new FailureLimits(0, 1).areExceededBy(books)).isFalse();
    books.rowRead();
    books.rowFailed(FailReason.CORRUPT_CELL, 0, "row");
    assertThat(new FailureLimits(0, 9).areExceededBy(books)).isTrue();
    assertThat(new FailureLimits(1, 1).areExceededBy(books)).isFalse();
  }

  @Test
  void countRollupsByInterval() {
    books.rollups("1h", 2);
    books.rollups("1m", 60);
    Books other = new Books();
    other.rollups("1h", 1);
    other.rollups("1d", 1);
    books.add(other);
    assertThat(books.rollups()).isEqualTo(Map.of("1m", 60L, "1h", 3L, "1d", 1L));
    assertThat(books.intervalsEmitted()).isEqualTo(64);
    assertThat(BooksJson.read(BooksJson.counts(books)).rollups()).isEqualTo(books.rollups());
  }

  /** A run that is resumed takes them over. */
  @Test
  void oddMetricsAreWrittenWithTheCounts() {
    books.oddMetric(new RunProof.OddMetric(7, 3600, 7200));
    books.oddMetric(new RunProof.OddMetric(9, 0, 3600));
    books.oddHistogram(new RunProof.OddMetric(8, 0, 3600));
    books.add(BooksJson.read(BooksJson.counts(books)));
    assertThat(BooksJson.read(BooksJson.counts(books)).oddMetrics())
        .containsExactly(new RunProof.OddMetric(7, 3600, 7200), new RunProof.OddMetric(9, 0, 3600));
    assertThat(BooksJson.read(BooksJson.counts(books)).oddHistograms())
        .containsExactly(new RunProof.OddMetric(8, 0, 3600));
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
    assertThat(books.count(Count.POINTS_IN_FAILED_ROWS)).isEqualTo(24);
    assertThat(books.samples().get(FailReason.CORRUPT_CELL))
        .containsExactly("row 0.0", "row 0.1", "row 0.2", "row 0.3", "row 1.0");
    assertThat(books.close()).isTrue();
  }
}
