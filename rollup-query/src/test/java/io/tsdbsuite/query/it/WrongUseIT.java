package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.ServerException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an operator sees who got the configuration wrong. */
class WrongUseIT {
  @Test
  void aWrongConfigurationStopsTheStartWithAllProblems() {
    Map<String, String> conf =
        QueryStack.conf(
            "wrong", "takeover", "maybe", "max_cells", "5", "max_seconds_per_query", "x");
    conf.put("tsd.core.enable_ui", "true");
    conf.put("tsd.rollup-query.takeover", "true");
    assertThatThrownBy(() -> QueryStack.tsd("wrong", conf))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("ended with exit code")
        .hasMessageContaining("tsd.core.enable_ui is not false")
        .hasMessageContaining("tsd.rollup_query.takeover must be one of true, false, found maybe")
        .hasMessageContaining(
            "tsd.rollup_query.max_seconds_per_query must be an integer from 0 to 86400, found x")
        .hasMessageContaining("tsd.rollup_query.max_cells is no key of rollup-query")
        .hasMessageContaining("tsd.rollup-query.takeover is no key of rollup-query");
  }
}
