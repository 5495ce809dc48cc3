package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PointsByTimeTest {
  @Test
  void tooManyDaysBecomeMonths() {
    TreeMap<Integer, Long> days = new TreeMap<>();
    for (int day = 0; day < PointsByTime.MOST_DAYS; day++) {
      days.put(day, 2L);
    }
    assertThat(PointsByTime.of(days).unit()).isEqualTo("day");
    assertThat(PointsByTime.of(days).points()).hasSize(PointsByTime.MOST_DAYS);
    days.put(49_710, 1L);
    PointsByTime months = PointsByTime.of(days);
    assertThat(months.unit()).isEqualTo("month");
    assertThat(months.points())
        .containsAllEntriesOf(Map.of("1970-01", 62L, "1970-02", 56L, "2106-02", 1L));
    assertThat(months.points().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(2L * PointsByTime.MOST_DAYS + 1);
  }
}
