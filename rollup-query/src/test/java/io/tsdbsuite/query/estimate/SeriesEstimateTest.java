package io.tsdbsuite.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.QueryTimes;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesEstimateTest {
  private static final long HOUR = 3_600_000;
  private static final int SERIES = 20;
  private static final int POINTS = 360;

  private static PlanSize raw(int hours) {
    return PlanSize.raw(new QueryTimes(0, hours * HOUR, 0, hours * HOUR, hours * HOUR));
  }

  /** A query of compacted rows says nothing of the points in the cells of other rows. */
  @Test
  void pointsOfRowsThatAreNotCompactedAreThoseOfTheReading() {
    double compactedRows = SERIES * 30 * 24;
    double points = SERIES * 2 * POINTS;

    SeriesEstimate compacted =
        SeriesEstimate.UNKNOWN.correctedByRaw(
            raw(30 * 24), SERIES, SERIES, compactedRows, compactedRows * POINTS);
    SeriesEstimate single = compacted.correctedByRaw(raw(2), SERIES, SERIES, points, points);

    assertThat(compacted.cells(raw(1))).isCloseTo(SERIES, within(1e-6));
    assertThat(compacted.values(raw(1))).isCloseTo(SERIES * POINTS, within(1e-6));
    assertThat(single.cells(raw(24))).isCloseTo(SERIES * 24 * POINTS, within(1e-6));
    assertThat(single.values(raw(24))).isCloseTo(SERIES * 24 * POINTS, within(1e-6));
  }

  @Test
  void lessThanAnHourOfASeriesChangesNothing() {
    SeriesEstimate before = new SeriesEstimate(SERIES, SERIES, 1, POINTS);

    assertThat(before.correctedByRaw(raw(24), 0, 0, 0, 0)).isSameAs(before);
  }

  /** Filters of names drop series after their rows were read. */
  @Test
  void whatFiltersDropIsReadAndNotHeld() {
    SeriesEstimate counted = new SeriesEstimate(SERIES, 2, POINTS, POINTS);
    SeriesEstimate read =
        counted.correctedByRaw(raw(24), SERIES, 2, SERIES * 24 * POINTS, 2 * 24 * POINTS);
    SeriesEstimate none = counted.correctedByRaw(raw(24), SERIES, 0, SERIES * 24 * POINTS, 0);

    for (SeriesEstimate estimate : List.of(counted, read)) {
      assertThat(estimate.series()).isEqualTo(2);
      assertThat(estimate.cells(raw(24))).isCloseTo(SERIES * 24 * POINTS, within(1e-6));
      assertThat(estimate.values(raw(24))).isCloseTo(2 * 24 * POINTS, within(1e-6));
    }
    assertThat(none.cells(raw(24))).isCloseTo(SERIES * 24 * POINTS, within(1e-6));
    assertThat(none.values(raw(24))).isZero();
  }
}
