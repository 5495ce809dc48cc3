package io.tsdbsuite.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.QueryTimes;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeriesEstimatesTest {
  private static final long HOUR = 3_600_000;

  @Test
  void rawDataOfADay() {
    PlanSize day = PlanSize.raw(new QueryTimes(0, 1, 0, 24 * HOUR, 24 * HOUR));
    SeriesEstimate compacted = new SeriesEstimate(1000, 1000, 1, 60);
    assertThat(compacted.cells(day)).isEqualTo(24_000);
    assertThat(compacted.values(day)).isEqualTo(24_000 * 60);
    assertThat(compacted.corrected(day, 0, 0, 5, 5)).as("no rollups were read").isSameAs(compacted);
  }

  @Test
  void anEstimateIsKeptForTenMinutes() {
    AtomicLong now = new AtomicLong(7);
    SeriesEstimates estimates = new SeriesEstimates(now::get, 600_000);
    assertThat(estimates.of("m")).isNull();
    SeriesEstimate estimate = new SeriesEstimate(3, 3, 4, 5);
    estimates.put("m", estimate);
    now.addAndGet(600_000);
    assertThat(estimates.of("m")).isSameAs(estimate);
    assertThat(estimates.of("n")).isNull();
    now.incrementAndGet();
    assertThat(estimates.of("m")).isNull();
  }
}
