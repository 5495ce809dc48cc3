package io.tsdbsuite.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RollupQueryHttpPluginTest {
  @Test
  void takesThePrefixAway() {
    assertThat(RollupQueryHttpPlugin.below("/plugin/rollup-query/api/query?a=/b"))
        .isEqualTo("/api/query?a=/b");
    assertThat(RollupQueryHttpPlugin.below("/plugin/rollup%2Dquery/api/query"))
        .isEqualTo("/api/query");
    assertThat(RollupQueryHttpPlugin.below("/plugin/rollup-query/")).isEqualTo("/");
    assertThat(RollupQueryHttpPlugin.below("/plugin/rollup-query")).isEmpty();
    assertThat(RollupQueryHttpPlugin.below("/plugin/rollup-query?a=/b")).isEqualTo("?a=/b");
  }
}
