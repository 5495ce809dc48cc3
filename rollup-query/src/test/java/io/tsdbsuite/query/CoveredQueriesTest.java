package io.tsdbsuite.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.run.QueryThreads;
import io.tsdbsuite.query.run.StockRunner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

class CoveredQueriesTest {
  /** OpenTSDB takes it, and fails with each query for rollups, which look up the count. */
  private static final String WITHOUT_COUNT =
      "{\"aggregationIds\":{\"sum\":0},\"intervals\":[{\"table\":\"tsdb\","
          + "\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\",\"rowSpan\":\"1h\","
          + "\"defaultInterval\":true},{\"table\":\"tsdb-1h\",\"preAggregationTable\":\"tsdb-agg\","
          + "\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}";

  private static TSDB tsdb(boolean rollups) throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.rollups.enable", String.valueOf(rollups));
    config.overrideConfig("tsd.rollups.config", WITHOUT_COUNT);
    // The client connects when it is first asked.
    return new TSDB(new HBaseClient("127.0.0.1:1"), config);
  }

  private static CoveredQueries start(TSDB tsdb) {
    return CoveredQueries.start(tsdb, QueryConfig.read(Map.of(), 1L << 30), new QueryThreads());
  }

  @Test
  void withARefusedRollupConfigOpenTsdbRunsAllQueries() throws Exception {
    CoveredQueries queries = start(tsdb(true));
    assertThat(queries.runner()).isInstanceOf(StockRunner.class);
    assertThat(queries.readsRollups()).isFalse();
    assertThat(queries.reason()).contains("aggregationIds.count: compulsory");
  }

  /** Without its codec a TSD would leave sketches out, and say nothing. */
  @Test
  void withHistogramsTheTsdNeedsTheCodecOfSketches() throws Exception {
    String key = "tsd.core.histograms.config";
    String need =
        key + ": suite.histograms of rollup_config.json needs an id of " + HistogramCodecs.SKETCH;
    assertThat(start(withHistograms(), "percentiles").reason()).contains(need);
    TSDB other = withHistograms();
    other.getConfig().overrideConfig(key, "{\"net.opentsdb.core.SimpleHistogramDecoder\":1}");
    assertThat(start(other, "percentiles").reason()).contains(need);
    CoveredQueries off = start(withHistograms(), "off");
    off.stop();
    assertThat(off.readsRollups()).isTrue();
    TSSubQuery percentiles = new TSSubQuery();
    percentiles.setMetric("m");
    assertThat(off.runner().readsHistograms(percentiles)).isFalse();
    TSDB with = withHistograms();
    with.getConfig().overrideConfig(key, "{\"" + HistogramCodecs.SKETCH + "\":7}");
    CoveredQueries on = start(with, "percentiles");
    on.stop();
    assertThat(on.readsRollups()).isTrue();
    assertThat(on.runner().readsHistograms(percentiles)).isTrue();
    percentiles.setMetric("other");
    assertThat(on.runner().readsHistograms(percentiles)).isFalse();
    percentiles.setTsuids(List.of("000001000001000001"));
    assertThat(on.runner().readsHistograms(percentiles)).as("its name is not known yet").isTrue();
  }

  private static TSDB withHistograms() throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.rollups.enable", "true");
    config.overrideConfig(
        "tsd.rollups.config",
        WITHOUT_COUNT.replace(
            "{\"aggregationIds\":{",
            "{\"suite\":{\"histograms\":[{\"metrics\":\"m\",\"intervals\":\"1h\"}],"
                + "\"histogramTables\":{\"1h\":\"h1h\"}},\"aggregationIds\":{\"count\":9,"));
    return new TSDB(new HBaseClient("127.0.0.1:1"), config);
  }

  private static CoveredQueries start(TSDB tsdb, String sketches) {
    return CoveredQueries.start(
        tsdb,
        QueryConfig.read(Map.of("tsd.rollup_query.sketches", sketches), 1L << 30),
        new QueryThreads());
  }

  @Test
  void withoutRollupsOpenTsdbRunsAllQueries() throws Exception {
    CoveredQueries queries = start(tsdb(false));
    assertThat(queries.runner()).isInstanceOf(StockRunner.class);
    assertThat(queries.reason()).isEqualTo("tsd.rollups.enable is false");
  }

  @Test
  void aStatisticSaysSo() throws Exception {
    RollupQueryHttpPlugin plugin = new RollupQueryHttpPlugin();
    plugin.initialize(tsdb(true));
    Map<String, Long> stats = new HashMap<>();
    plugin.collectStats(
        new StatsCollector("tsd") {
          @Override
          public void record(String name, long value, String tag) {
            stats.put(name, value);
          }
        });
    plugin.shutdown();
    assertThat(stats)
        .containsEntry("rollup_query.on", 1L)
        .containsEntry("rollup_query.rollups", 0L);
  }
}
