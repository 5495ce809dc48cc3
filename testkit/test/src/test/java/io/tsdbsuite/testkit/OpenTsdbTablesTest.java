package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenTsdbTablesTest {
  private static final String ROLLUPS =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
      {"table":"raw","preAggregationTable":"preagg","interval":"1m","rowSpan":"1h",
       "defaultInterval":true},
      {"table":"rollup-1h","preAggregationTable":"agg-1h","interval":"1h","rowSpan":"1d"}]}
      """;

  @Test
  void openTsdbsOwnNamesWithoutConfiguration() throws IOException {
    assertThat(OpenTsdbTables.of(Map.of()).names())
        .isEqualTo(OpenTsdbTables.defaults().names())
        .containsExactly("tsdb", "tsdb-uid", "tsdb-tree", "tsdb-meta");
  }

  @Test
  void rollupTablesOnlyWhenRollupsAreOn() throws IOException {
    Map<String, String> off =
        Map.of("tsd.storage.hbase.data_table", "raw", "tsd.rollups.config", ROLLUPS);
    assertThat(OpenTsdbTables.of(off).names()).hasSize(4).contains("raw");
    Map<String, String> on =
        Map.of(
            "tsd.storage.hbase.data_table",
            "raw",
            "tsd.rollups.config",
            ROLLUPS,
            "tsd.rollups.enable",
            "true");
    assertThat(OpenTsdbTables.of(on).names())
        .containsExactly(
            "raw", "tsdb-uid", "tsdb-tree", "tsdb-meta", "preagg", "rollup-1h", "agg-1h");
  }

  @Test
  void histogramTables() throws IOException {
    // The default interval's preAggregationTable may be one of them.
    String suite =
        """
        ,"suite":{"histograms":[{"metrics":"*","intervals":"1h,1d"}],
        "histogramTables":{"1h":"sketch-1h","1d":"preagg"}}}
        """;
    String day =
        ",{\"table\":\"rollup-1d\",\"preAggregationTable\":\"agg-1d\",\"interval\":\"1d\",";
    Map<String, String> conf =
        Map.of(
            "tsd.rollups.config",
            ROLLUPS.replace("}]}\n", "}" + day + "\"rowSpan\":\"1n\"}]" + suite),
            "tsd.rollups.enable",
            "true");
    assertThat(OpenTsdbTables.of(conf).names())
        .containsExactly(
            "tsdb",
            "tsdb-uid",
            "tsdb-tree",
            "tsdb-meta",
            "raw",
            "preagg",
            "rollup-1h",
            "agg-1h",
            "rollup-1d",
            "agg-1d",
            "sketch-1h");
  }
}
