package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryRangeTest {
  @Test
  void rangesGrowToAllDays() {
    assertThat(QueryRange.upTo(365)).extracting(QueryRange::days).containsExactly(1, 7, 30, 365);
    assertThat(QueryRange.upTo(30)).extracting(QueryRange::days).containsExactly(1, 7, 30);
    assertThat(QueryRange.upTo(8)).extracting(QueryRange::days).containsExactly(1, 7, 8);
    assertThat(QueryRange.upTo(1)).extracting(QueryRange::days).containsExactly(1);
  }

  @Test
  void endsWithTheData() {
    assertThat(new QueryRange(7).from(1763510400)).isEqualTo(1763510400 - 7 * 86400);
    assertThat(new QueryRange(1).text()).isEqualTo("1 day");
    assertThat(new QueryRange(7).text()).isEqualTo("7 days");
  }
}
