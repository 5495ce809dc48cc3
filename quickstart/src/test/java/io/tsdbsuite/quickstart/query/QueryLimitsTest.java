package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryLimitsTest {
  private static final long DAY = 86400;
  private static final long TO = 400 * DAY;
  private static final QuerySpan MONTH = QuerySpan.ofDays(30, TO);
  private static final QuerySpan YEAR = QuerySpan.ofDays(365, TO);

  @Test
  void aYearOfCompactedRowsIsReadInPartsThatAdjoin() {
    QueryLimits limits = new QueryLimits(20);

    assertThat(limits.onePart(MONTH)).isTrue();
    assertThat(limits.onePart(YEAR)).isFalse();
    List<QuerySpan> parts = limits.parts(YEAR);
    assertThat(parts)
        .hasSize(13)
        .extracting(QuerySpan::from)
        .startsWith(35 * DAY, 65 * DAY)
        .endsWith(395 * DAY);
    for (int i = 1; i < parts.size(); i++) {
      assertThat(parts.get(i).from()).isEqualTo(parts.get(i - 1).to());
    }
    assertThat(parts.get(12).to()).isEqualTo(TO);
    assertThat(limits.parts(MONTH)).containsExactly(MONTH);
  }

  @Test
  void oneSeriesIsReadInOnePart() {
    QuerySpan year = YEAR.ofHost("edge001");

    assertThat(new QueryLimits(200).parts(year)).containsExactly(year);
  }

  @Test
  void moreSeriesAreFewerDays() {
    assertThat(new QueryLimits(60).cells(MONTH)).isTrue();
    assertThat(new QueryLimits(61).cells(MONTH)).isFalse();
    assertThat(new QueryLimits(20).cells(YEAR)).isFalse();
    assertThat(new QueryLimits(200).parts(MONTH)).hasSize(10);
    assertThat(new QueryLimits(60).lastDays()).isTrue();
    assertThat(new QueryLimits(61).lastDays()).isFalse();
  }

  @Test
  void theLongestSpanThatFits() {
    List<QuerySpan> spans = QuerySpan.upTo(365, TO);

    assertThat(QueryLimits.longest(spans, new QueryLimits(20)::onePart)).isEqualTo(MONTH);
    assertThat(QueryLimits.longest(spans, any -> false)).isEqualTo(spans.get(0));
  }
}
