package io.tsdbsuite.rollup.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.rollup.report.MetricRows.Kept;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetricRowsTest {
  private final MetricRows rows =
      new MetricRows(uid -> uid == 8 ? Kept.NO_NAME : uid == 10 ? Kept.BELOW_FLOOR : null);
  private final Books books = new Books(rows);
  private boolean histogramsGo;

  /** What a row changes in the books, in this order, as the roller does. */
  private void row(
      long metric, long points, long ambiguous, long annotations, long histograms, long unknown) {
    row(metric, points, ambiguous, annotations, histograms, unknown, 0, false);
  }

  private void row(
      long metric,
      long points,
      long ambiguous,
      long annotations,
      long histograms,
      long unknown,
      long notNumbers,
      boolean fails) {
    rows.begin(books);
    books.rowRead();
    books.contents(points, ambiguous, ambiguous);
    books.setAside(annotations, histograms, unknown, 0);
    long left = points - ambiguous - notNumbers;
    if (fails) {
      books.rowFailed(FailReason.CORRUPT_CELL, points - ambiguous, "a row");
    } else if (left > 0) {
      books.rowEmitted(left, notNumbers);
    } else {
      books.rowSkipped(SkipReason.EMPTY, notNumbers);
    }
    if (rows.end(books, histogramsGo)) {
      rows.go(metric);
    }
  }

  private static Map<Kept, Long> kept(MetricRows of) {
    Map<Kept, Long> kept = new TreeMap<>();
    for (Kept reason : Kept.values()) {
      kept.put(reason, of.kept(reason));
    }
    kept.values().removeIf(count -> count == 0);
    return kept;
  }

  @Test
  void aRowCountsOnce() {
    row(7, 10, 0, 0, 0, 0);
    row(7, 5, 0, 2, 0, 0);
    row(9, 3, 0, 0, 0, 0);
    row(9, 3, 1, 1, 0, 0);
    row(9, 3, 0, 1, 1, 1);
    row(9, 3, 0, 1, 0, 1);
    row(9, 3, 0, 1, 0, 0, 1, false);
    row(9, 3, 0, 0, 0, 0, 3, false);
    row(9, 3, 1, 1, 1, 1, 0, true);
    row(9, 0, 0, 1, 0, 0);
    row(9, 0, 0, 0, 0, 0);
    row(8, 3, 0, 0, 0, 0);
    row(10, 3, 0, 1, 0, 0);
    row(10, 3, 0, 0, 1, 0);
    MetricRows all = new MetricRows();
    Books sum = new Books();
    sum.add(books);
    sum.add(books);
    all.add(rows);
    assertThat(rows.metrics()).containsOnlyKeys(7L, 9L);
    assertThat(all.metrics().get(7L).rows()).isEqualTo(1);
    assertThat(all.metrics().get(7L).annotatedRows()).isEqualTo(1);
    assertThat(all.metrics().get(7L).points()).isEqualTo(15);
    assertThat(all.metrics().get(9L).rows()).isEqualTo(1);
    assertThat(all.metrics().get(9L).annotatedRows()).isZero();
    assertThat(all.metrics().get(9L).points()).isEqualTo(3);
    assertThat(kept(all))
        .isEqualTo(
            Map.of(
                Kept.AMBIGUOUS_DUPLICATES, 1L,
                Kept.HISTOGRAMS, 2L,
                Kept.UNKNOWN_COLUMNS, 1L,
                Kept.NOT_A_NUMBER, 2L,
                Kept.FAILED, 1L,
                Kept.NO_NAME, 1L,
                Kept.BELOW_FLOOR, 1L,
                Kept.ANNOTATIONS, 1L,
                Kept.EMPTY, 1L));
    assertThat(rows.rows()).isEqualTo(books.count(Count.ROWS_READ)).isEqualTo(14);
    assertThat(sum.metricRows()).isNotNull();
    assertThat(sum.metricRows().rows()).isEqualTo(28);
    assertThat(sum.metricRows().metrics().get(7L).points()).isEqualTo(30);
    assertThat(new Books().metricRows()).isNull();
  }

  /** A metric's rows are adjacent; of some metrics rollups have the histograms. */
  @Test
  void histogramsThatAreRolledUpGo() {
    histogramsGo = true;
    row(7, 10, 0, 0, 2, 0);
    row(7, 10, 0, 1, 3, 0);
    row(7, 10, 0, 1, 3, 1);
    row(7, 10, 0, 0, 0, 0);
    histogramsGo = false;
    row(9, 10, 0, 0, 2, 0);
    row(9, 10, 0, 0, 0, 0);
    rows.row(null, 7, 4);
    MetricRows all = new MetricRows();
    all.add(rows);
    all.add(rows);
    assertThat(all.metrics().get(7L).rows()).isEqualTo(6);
    assertThat(all.metrics().get(7L).annotatedRows()).isEqualTo(2);
    assertThat(all.metrics().get(7L).points()).isEqualTo(78);
    assertThat(all.metrics().get(7L).histograms()).isEqualTo(10);
    assertThat(all.metrics().get(9L).points()).isEqualTo(20);
    assertThat(all.metrics().get(9L).histograms()).isZero();
    assertThat(kept(rows)).isEqualTo(Map.of(Kept.HISTOGRAMS, 1L, Kept.UNKNOWN_COLUMNS, 1L));
  }

  @Test
  void rowsOfRollupTablesHaveCells() {
    MetricRows rows = new MetricRows(uid -> uid == 8 ? Kept.NO_NAME : null);
    rows.row(null, 7, 96);
    rows.row(null, 7, 4);
    rows.row(null, 8, 4);
    rows.row(Kept.UNKNOWN_COLUMNS, 7, 4);
    assertThat(rows.metrics()).containsOnlyKeys(7L);
    assertThat(rows.metrics().get(7L).rows()).isEqualTo(2);
    assertThat(rows.metrics().get(7L).annotatedRows()).isZero();
    assertThat(rows.metrics().get(7L).points()).isEqualTo(100);
    assertThat(kept(rows)).isEqualTo(Map.of(Kept.NO_NAME, 1L, Kept.UNKNOWN_COLUMNS, 1L));
    assertThat(rows.rows()).isEqualTo(4);
  }
}
