package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryLimitsTest {
  private static final QueryRange MONTH = new QueryRange(30);
  private static final QueryRange YEAR = new QueryRange(365);
  private static final int DAY = 86400;

  @Test
  void aYearOfCompactedRowsIsReadInPartsThatAdjoin() {
    QueryLimits limits = new QueryLimits(20);
    long to = 400L * DAY;

    assertThat(limits.onePart(MONTH)).isTrue();
    assertThat(limits.onePart(YEAR)).isFalse();
    assertThat(limits.parts(MONTH)).isEqualTo(1);
    assertThat(limits.parts(YEAR)).isEqualTo(13);
    List<Long> bounds = limits.bounds(YEAR.from(to), to);
    assertThat(bounds).hasSize(14).startsWith(35L * DAY, 65L * DAY).endsWith(395L * DAY, to);
    assertThat(limits.bounds(MONTH.from(to), to)).containsExactly(370L * DAY, to);
  }

  @Test
  void moreSeriesAreFewerDays() {
    assertThat(new QueryLimits(60).cells(MONTH)).isTrue();
    assertThat(new QueryLimits(61).cells(MONTH)).isFalse();
    assertThat(new QueryLimits(20).cells(YEAR)).isFalse();
    assertThat(new QueryLimits(200).parts(MONTH)).isEqualTo(10);
    assertThat(new QueryLimits(60).lastDays()).isTrue();
    assertThat(new QueryLimits(61).lastDays()).isFalse();
  }
}
