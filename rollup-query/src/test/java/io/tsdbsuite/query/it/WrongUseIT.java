package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.ServerException;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
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
    assertThatThrownBy(() -> QueryStack.tsd("wrong", conf))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("ended with exit code")
        .hasMessageContaining("tsd.core.enable_ui is not false")
        .hasMessageContaining("tsd.rollup_query.takeover must be one of true, false, found maybe")
        .hasMessageContaining(
            "tsd.rollup_query.max_seconds_per_query must be an integer from 0 to 86400, found x")
        .hasMessageContaining("tsd.rollup_query.max_cells is no key of rollup-query");
  }

  /** OpenTSDB takes this one: without count it has no rollups of avg. */
  @Test
  void aRefusedRollupConfigLeavesAllToOpenTsdb() throws IOException {
    Map<String, String> conf = QueryStack.conf("refused");
    conf.put("tsd.rollups.enable", "true");
    conf.put(
        "tsd.rollups.config",
        "{\"aggregationIds\":{\"sum\":0},\"intervals\":[{\"table\":\"refused-tsdb\","
            + "\"preAggregationTable\":\"refused-tsdb\",\"interval\":\"1m\",\"rowSpan\":\"1h\","
            + "\"defaultInterval\":true},{\"table\":\"refused-1h\",\"preAggregationTable\":"
            + "\"refused-1h\",\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}");
    TsdServer tsd = QueryStack.tsd("refused", conf);
    String prefix = "/plugin/rollup-query/";
    assertThat(RawHttp.get(tsd.port(), prefix + "metrics").text())
        .contains("rollup_query_on 1.0", "rollup_query_rollups 0.0");
    assertThat(RawHttp.get(tsd.port(), prefix + "api/query?start=1h-ago&m=sum:m").code())
        .isEqualTo(400);
    tsd.stop();
  }
}
