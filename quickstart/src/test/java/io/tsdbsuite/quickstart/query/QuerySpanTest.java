package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuerySpanTest {
  private static final long TO = 1763510400;

  @Test
  void spansGrowToAllDays() {
    assertThat(QuerySpan.upTo(365, TO)).extracting(QuerySpan::days).containsExactly(1, 7, 30, 365);
    assertThat(QuerySpan.upTo(30, TO)).extracting(QuerySpan::days).containsExactly(1, 7, 30);
    assertThat(QuerySpan.upTo(8, TO)).extracting(QuerySpan::days).containsExactly(1, 7, 8);
    assertThat(QuerySpan.upTo(1, TO)).extracting(QuerySpan::days).containsExactly(1);
  }

  @Test
  void endsWithTheData() {
    assertThat(QuerySpan.ofDays(7, TO).from()).isEqualTo(TO - 7 * 86400);
    assertThat(QuerySpan.ofDays(1, TO).text()).isEqualTo("1 day");
    assertThat(QuerySpan.ofDays(7, TO).text()).isEqualTo("7 days");
  }

  @Test
  void ofOneSeriesItHasItsName() {
    QuerySpan week = QuerySpan.ofDays(7, TO);

    assertThat(week.ofHost("edge001"))
        .isEqualTo(new QuerySpan("7 days, edge001", week.from(), TO, "edge001"));
    assertThat(week.ofHost("")).isEqualTo(week);
  }
}
