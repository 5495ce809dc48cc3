package io.tsdbsuite.bulk.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TimeColumnsTest {
  @Test
  void daysWithoutPointsHaveColumnsAndAreGaps() {
    TimeColumns days =
        TimeColumns.of(
            "day", Map.of("2024-02-27", 5L, "2024-03-01", 7L, "2024-03-02", 1L, "2024-03-04", 1L));
    assertThat(days.unit()).isEqualTo("day");
    assertThat(days.columns()).hasSize(7).containsEntry("2024-02-29", 0L);
    assertThat(days.gaps()).containsExactly("2024-02-28 to 2024-02-29", "2024-03-03");
  }

  @Test
  void manyDaysAreMonthsAndManyMonthsAreYears() {
    TimeColumns months = TimeColumns.of("day", Map.of("2024-02-27", 5L, "2026-03-01", 7L));
    assertThat(months.unit()).isEqualTo("month");
    assertThat(months.columns()).hasSize(26).containsEntry("2024-02", 5L);
    assertThat(months.gaps()).as("days").containsExactly("2024-02-28 to 2026-02-28");
    TimeColumns years =
        TimeColumns.of("month", Map.of("1970-01", 5L, "1970-02", 1L, "2106-02", 7L));
    assertThat(years.unit()).isEqualTo("year");
    assertThat(years.gaps()).containsExactly("1970-03 to 2106-01");
    assertThat(years.columns()).hasSize(137).containsEntry("1970", 6L).containsEntry("2106", 7L);
  }

  @Test
  void noneAndWrongOnes() {
    assertThat(TimeColumns.of("day", Map.of()).columns()).isEmpty();
    assertThatThrownBy(() -> TimeColumns.of("day", Map.of("soon", 1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must have points by day");
    assertThatThrownBy(() -> TimeColumns.of("week", Map.of("2024-02-27", 1L)))
        .hasMessage("must have points by day or month, found by week");
  }
}
