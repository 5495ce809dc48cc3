package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.TimeRanges;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScannedSeriesTest {
  private static ScannedSeries series(long... times) {
    ScannedSeries series = new ScannedSeries(new byte[] {1}, true);
    for (long time : times) {
      series.add(time, time / 2.0, time + 1);
    }
    return series;
  }

  @Test
  void partsOfScansThatOverlapAreMergedInTheOrderOfTime() {
    ScannedSeries merged =
        ScannedSeries.merge(
            List.of(series(4, 5, 30, 31), series(), series(1, 6, 40), series(7, 8, 29)));
    assertThat(merged.times).containsExactly(1, 4, 5, 6, 7, 8, 29, 30, 31, 40);
    assertThat(merged.values[9]).isEqualTo(20);
    assertThat(merged.counts[3]).isEqualTo(7);
    assertThat(merged.size).isEqualTo(10);
    assertThat(ScannedSeries.merge(List.of(series(1, 2))).times).containsExactly(1, 2);
  }

  @Test
  void noTimeIsReadFromTwoTables() {
    assertThatThrownBy(() -> ScannedSeries.merge(List.of(series(1, 5), series(5, 6))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void timesBetweenPiecesAreClipped() {
    Clip clip = new Clip(TimeRanges.of(10, 20).plus(TimeRanges.of(30, 40)));
    for (long time : new long[] {35, 10, 19, 30, 39}) {
      assertThat(clip.has(time)).as("%d", time).isTrue();
    }
    for (long time : new long[] {9, 20, 25, 29, 40}) {
      assertThat(clip.has(time)).as("%d", time).isFalse();
    }
    assertThat(new Clip(TimeRanges.none()).has(0)).isFalse();
  }
}
