package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryTest {
  @Test
  void isNamedAsTheTsdWritesIt() {
    Query query = Query.of("1d-avg", "sum", false);

    assertThat(query.text()).isEqualTo("sum:1d-avg");
    assertThat(new Query("1d-avg", "sum", false, "Europe/Berlin", false, "").text())
        .isEqualTo("sum:1dc-avg Europe/Berlin");
    assertThat(new Query("1d-avg", "sum", false, "", true, "").text())
        .isEqualTo("sum:rate{counter,,1}:1d-avg");
    assertThat(query.interval()).isEqualTo("1d");
    assertThat(query.function()).isEqualTo("avg");
    assertThat(Query.ofLatency("1h"))
        .extracting(Query::text)
        .containsExactly("none:1h-p50:edge.latency", "none:1h-p99:edge.latency");
  }
}
