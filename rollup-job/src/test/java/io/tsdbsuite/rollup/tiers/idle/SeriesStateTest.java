package io.tsdbsuite.rollup.tiers.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesStateTest {
  private static final long BEFORE = 1_000_000;

  /** The sum of records, which two tasks have read in all ways to share them. */
  private static SeriesState sum(List<byte[]> records) {
    SeriesState whole = new SeriesState(2);
    records.forEach(whole::add);
    for (int cut = 0; cut <= records.size(); cut++) {
      SeriesState first = new SeriesState(2);
      records.subList(0, cut).forEach(first::add);
      SeriesState second = new SeriesState(2);
      records.subList(cut, records.size()).forEach(second::add);
      SeriesState merged = second.merge(first);
      assertThat(List.of(merged.rows(), merged.goes(0), merged.goes(1)))
          .isEqualTo(List.of(whole.rows(), whole.goes(0), whole.goes(1)));
      assertThat(merged.isLive(BEFORE)).isEqualTo(whole.isLive(BEFORE));
      assertThat(merged.reason()).isEqualTo(whole.reason());
      assertThat(merged.stays(1, Kept.EMPTY)).isEqualTo(whole.stays(1, Kept.EMPTY));
    }
    return whole;
  }

  @Test
  void rowsAreCountedByTable() {
    SeriesState state =
        sum(
            List.of(
                SeriesState.goes(0, false, 5, 1),
                SeriesState.goes(0, true, 7, 3),
                SeriesState.goes(1, false, 4, 2),
                SeriesState.stays(0, Kept.ANNOTATIONS, 5),
                SeriesState.stays(1, Kept.EMPTY, 5)));
    assertThat(state.isLive(BEFORE)).isFalse();
    assertThat(state.reason()).isNull();
    assertThat(state.rows()).isEqualTo(5);
    assertThat(state.goes(0)).isEqualTo(new Proof.Rows(1, 1, 12));
    assertThat(state.goes(1)).isEqualTo(new Proof.Rows(1, 0, 4));
    assertThat(state.stays(0, Kept.ANNOTATIONS)).isEqualTo(1);
    assertThat(state.stays(0, Kept.EMPTY)).isZero();
    assertThat(state.stays(1, Kept.EMPTY)).isEqualTo(1);
  }

  @Test
  void oneLateRowOrTimestampInAnyTableIsAWrite() {
    byte[] old = SeriesState.goes(0, false, 1, 1);
    assertThat(sum(List.of(old, SeriesState.live(1))).isLive(BEFORE)).isTrue();
    assertThat(sum(List.of(old, SeriesState.goes(1, false, 1, BEFORE))).isLive(BEFORE)).isTrue();
    assertThat(sum(List.of(old, SeriesState.goes(1, false, 1, BEFORE - 1))).isLive(BEFORE))
        .isFalse();
    for (Kept why : Kept.values()) {
      assertThat(sum(List.of(old, SeriesState.stays(1, why, BEFORE))).isLive(BEFORE)).isTrue();
    }
  }

  @Test
  void theFirstReasonCounts() {
    for (Kept why : Kept.values()) {
      boolean goes = why == Kept.ANNOTATIONS || why == Kept.EMPTY;
      assertThat(
              sum(List.of(SeriesState.goes(0, false, 1, 1), SeriesState.stays(1, why, 1))).reason())
          .isEqualTo(goes ? null : why);
    }
    assertThat(
            sum(List.of(
                    SeriesState.stays(0, Kept.UNKNOWN_COLUMNS, 1),
                    SeriesState.stays(1, Kept.HISTOGRAMS, 1),
                    SeriesState.stays(0, Kept.AMBIGUOUS_DUPLICATES, 1)))
                .reason())
        .isEqualTo(Kept.HISTOGRAMS);
  }

  /** Else they would be in each later proof. */
  @Test
  void aSeriesOfWhichNothingGoesStays() {
    byte[] annotations = SeriesState.stays(0, Kept.ANNOTATIONS, 1);
    byte[] empty = SeriesState.stays(1, Kept.EMPTY, 1);
    assertThat(sum(List.of(annotations, empty)).reason()).isEqualTo(Kept.ANNOTATIONS);
    assertThat(sum(List.of(empty)).reason()).isEqualTo(Kept.EMPTY);
    assertThat(sum(List.of(empty, SeriesState.goes(0, true, 1, 1))).reason()).isNull();
  }

  @Test
  void tasksAreNoSeries() {
    SeriesState state = sum(List.of(SeriesState.task(7), SeriesState.task(8)));
    assertThat(state.tasks()).isEqualTo(2);
    assertThat(state.rows()).isEqualTo(15);
  }
}
