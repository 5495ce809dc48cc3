package io.tsdbsuite.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.query.filter.TagVFilter;
import org.junit.jupiter.api.Test;

class QueryHistoryTest {
  private static final long HOUR = 3_600_000;

  private long now = 100 * HOUR;
  private final QueryHistory history = new QueryHistory(() -> now);

  private static TSQuery query(int subs) {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("cpu");
    sub.setDownsample("1h-avg");
    sub.setRate(true);
    List<TagVFilter> filters = new ArrayList<>();
    Map<String, String> tags = new HashMap<>();
    tags.put("host", "web*");
    TagVFilter.mapToFilters(tags, filters, true);
    sub.setFilters(filters);
    TSQuery query = new TSQuery();
    query.setStart("1000");
    query.setEnd("2000");
    query.setQueries(new ArrayList<>(Collections.nCopies(subs, sub)));
    query.validateAndSetQuery();
    return query;
  }

  private void ended(long cells, AbortReason... stopped) {
    QueryContext context = new QueryContext(QueryLimits.NONE, () -> 0);
    context.used(cells, 8 * cells);
    context.note(0, "1h:24");
    String outcome = "answered";
    for (AbortReason each : stopped) {
      context.abort(each, "too much");
      outcome = each.tag();
    }
    history.ended("10.0.0.1", query(1), outcome, context, 17);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> field(List<Object> entries, String name) {
    List<Object> values = new ArrayList<>();
    entries.forEach(each -> values.add(((Map<String, Object>) each).get(name)));
    return values;
  }

  @Test
  void theHeaviestOfTheLastHourAreKept() {
    ended(0);
    for (int i = 1; i <= 50; i++) {
      ended(i % 2 == 0 ? i : 100 - i);
    }
    List<Object> cells = field(history.heavy(), "cells");
    assertThat(cells)
        .hasSize(20)
        .startsWith(99L, 97L, 95L)
        .isSortedAccordingTo((a, b) -> Long.compare((long) b, (long) a));
    now += HOUR / 2;
    ended(1000);
    assertThat(field(history.heavy(), "cells")).startsWith(1000L, 99L).hasSize(20);
    now += HOUR / 2 + 1;
    assertThat(field(history.heavy(), "cells")).containsExactly(1000L);
  }

  @Test
  void theLastThatWereStoppedAreKept() {
    ended(5, AbortReason.CLIENT_GONE);
    assertThat(history.refused()).isEmpty();
    for (int i = 0; i < 30; i++) {
      ended(0, AbortReason.TIME);
    }
    ended(7, AbortReason.MEMORY);
    now += 100 * HOUR;
    assertThat(field(history.refused(), "outcome")).hasSize(20).startsWith("memory", "time");
  }

  @Test
  void anEntryHasWhatAUserNeeds() {
    ended(5);
    assertThat(history.heavy())
        .containsExactly(
            Map.of(
                "time",
                now,
                "client",
                "10.0.0.1",
                "outcome",
                "answered",
                "start",
                1_000_000L,
                "end",
                2_000_000L,
                "queries",
                List.of("sum:1h-avg:rate:cpu{host=wildcard(web*)}"),
                "cells",
                5L,
                "bytes",
                40L,
                "millis",
                17L,
                "read",
                "0: 1h:24"));
  }

  @Test
  void longTextsAreCut() {
    QueryContext context = new QueryContext(QueryLimits.NONE, () -> 0);
    context.used(1, 0);
    context.note(0, "x".repeat(5000));
    TSQuery query = query(30);
    query.getQueries().forEach(each -> each.setMetric("m".repeat(10_000)));
    history.ended("c".repeat(10_000), query, "answered", context, 1);
    assertThat(history.heavy().toString()).contains("20 more").hasSizeLessThan(7000);
  }
}
