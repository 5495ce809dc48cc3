package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlaMeasurementTest {
  @ParameterizedTest
  @CsvSource({"72,DAY,8640", "1,DAY,383", "72,WEEK,26016", "1,WEEK,527"})
  void knowsTheCellsOfATableWithAPointEachTenSeconds(int hours, SlaRange range, long cells) {
    assertThat(measurement(hours, range, range.hours()).cellsInTheory()).isEqualTo(cells);
  }

  @Test
  void countsOnlyHoursThatHaveData() {
    assertThat(measurement(72, SlaRange.WEEK, 100).cellsInTheory()).isEqualTo(72 * 360 + 28);
    assertThat(measurement(72, SlaRange.WEEK, 10).cellsInTheory()).isEqualTo(3600);
  }

  @Test
  void addsUpCellsAndDifferences() {
    SlaMeasurement measurement = measurement(1, SlaRange.DAY, 24);

    assertThat(measurement.cellsPerSeries()).isEqualTo(3.5);
    assertThat(measurement.differences()).isEqualTo(1);
    assertThat(measurement.compared()).isEqualTo(9);
    assertThat(measurement.maxRelativeDifference()).isEqualTo(0.5);
  }

  private static SlaMeasurement measurement(int delaySlaHours, SlaRange range, int hours) {
    return new SlaMeasurement(
        delaySlaHours,
        range,
        2,
        hours,
        new Timings(List.of(1.0)),
        List.of(new AnswerComparison(4, 0, List.of()), new AnswerComparison(5, 0.5, List.of("x"))),
        new ScanCost(1, 2, 2, 2),
        new ScanCost(1, 5, 5, 5));
  }
}
