package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryTest {
  @Test
  void isNamedAsTheTsdWritesIt() {
    Query query = Query.of("1d-avg", "sum", false);

    assertThat(query.text()).isEqualTo("sum:1d-avg");
    assertThat(query.in("Europe/Berlin").text()).isEqualTo("sum:1dc-avg Europe/Berlin");
    assertThat(query.ofCounter().text()).isEqualTo("sum:rate{counter,,1}:1d-avg");
    assertThat(query.interval()).isEqualTo("1d");
  }
}
