package io.tsdbsuite.meta.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.PrometheusScrape;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Mode track against a real TSD: what is in the meta table, and what lookups make of it. */
class TrackIT {
  private static final int SERIES = 50;

  @Test
  void writesOncePerTtlAndKeepsTheValueOfACounter() throws Exception {
    String test = "track";
    Map<String, String> conf = MetaStack.plugin(test, "ttl_seconds", "4");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.meta.TsuidRateLimiterHttpPlugin");
    TsdServer tsd = MetaStack.tsd(test, conf);
    Load load = new Load("track.m", SERIES);
    long start = System.nanoTime();
    load.write(tsd, 1);
    MetaStack.awaitStat(tsd, "writes", SERIES);
    MetaRows first = MetaRows.of(test);
    assertThat(first.counters()).hasSize(SERIES);
    assertThat(first.counters().values()).allMatch(counter -> counter.value() == 1);
    assertThat(first.tsMetas()).isEmpty();
    byte[] counted = bytes(first.counters().keySet().iterator().next());
    long received = first.counters().get(MetaRows.hex(counted)).timestamp();
    MetaRows.put(test, counted, 41, received + 1);

    int points = 0;
    long last = start;
    long pause = 0;
    while (last - start < 10_000_000_000L || points <= 10 * SERIES) {
      points += load.write(tsd, 1);
      long now = System.nanoTime();
      pause = Math.max(pause, now - last);
      last = now;
    }
    MetaStack.awaitStat(tsd, "rpcs_in_flight", 0);
    double boundaries = (System.nanoTime() - start) / 4e9;
    double perSeries = (double) MetaStack.stat(tsd, "writes") / SERIES - 1;
    assertThat(perSeries)
        .as("writes per series, of %s points", points / SERIES)
        // The boundaries within a pause of a busy machine are one.
        .isBetween(boundaries - 1 - pause / 4e9, boundaries + 1);
    MetaRows rows = MetaRows.of(test);
    rows.counters()
        .forEach(
            (tsuid, counter) -> {
              boolean own = tsuid.equals(MetaRows.hex(counted));
              assertThat(counter.value()).as(tsuid).isEqualTo(own ? 41 : 1);
              assertThat(counter.timestamp())
                  .as("last received of %s", tsuid)
                  .isGreaterThan(first.counters().get(tsuid).timestamp() + 1);
            });
    assertThat(MetaStack.stat(tsd, "failures")).isZero();
    assertThat(MetaStack.stat(tsd, "errors")).isZero();
    assertThat(MetaStack.stat(tsd, "size")).isEqualTo(SERIES);
    assertThat(MetaStack.stat(tsd, "new_series")).isEqualTo(SERIES);
    assertThat(MetaStack.stat(tsd, "hits")).isEqualTo(points);
    Await.until(
        "the metric that churns to be named",
        MetaStack.PATIENCE,
        () ->
            tsd.client()
                .stats()
                .containsKey("tsd.meta.cache.new_series.top metric=track.m plugin=metaCache"));
    requireMetrics(tsd);
    // The TSD's client writes points and meta rows in batches of their own. With a point in each
    // try, an hour that begins between the two gets both.
    Await.until(
        "the last point of a series",
        MetaStack.PATIENCE,
        () -> {
          load.write(tsd, 1);
          return tsd.client()
              .get("api/query/last?timeseries=track.m%7Bhost=h7%7D&resolve")
              .path(0)
              .path("value")
              .asText()
              .equals("7");
        });
    tsd.stop();
  }

  private static void requireMetrics(TsdServer tsd) throws Exception {
    String plugin = "http://127.0.0.1:" + tsd.port() + "/plugin/tsuid-ratelimiter/";
    Map<String, Double> values = new TreeMap<>();
    for (PrometheusScrape.Sample sample : PrometheusScrape.of(URI.create(plugin + "metrics"))) {
      assertThat(sample.type()).as(sample.name()).isIn("counter", "gauge");
      assertThat(sample.labels().keySet()).as(sample.name()).isSubsetOf("metric");
      values.put(sample.name() + sample.labels().getOrDefault("metric", ""), sample.value());
    }
    assertThat(values)
        .containsEntry("meta_cache_size_series", (double) SERIES)
        .containsEntry("meta_cache_new_series_total", (double) SERIES)
        .containsEntry("meta_cache_errors_total", 0.0)
        .containsKey("meta_cache_new_series_top_seriestrack.m");
    assertThatThrownBy(() -> PrometheusScrape.of(URI.create(plugin + "x")))
        .hasMessageContaining("404")
        .hasMessageContaining("the endpoint is metrics");
  }

  @Test
  void tsMetaObjectsAreThoseThatTheTsdMakes() throws IOException {
    Map<String, JsonNode> own = tsMetas("tsmeta-own", MetaStack.tables("tsmeta-own"));
    Map<String, JsonNode> ours = tsMetas("tsmeta", MetaStack.plugin("tsmeta"));
    Map<String, JsonNode> counted =
        tsMetas("tsmeta-count", MetaStack.plugin("tsmeta-count", "mode", "count"));
    assertThat(own).hasSize(5);
    assertThat(ours).isEqualTo(own);
    assertThat(counted).isEqualTo(own);
  }

  /** What /api/uid/tsmeta says of some series, without the times of their making. */
  private static Map<String, JsonNode> tsMetas(String test, Map<String, String> conf)
      throws IOException {
    conf.put("tsd.core.meta.enable_realtime_ts", "true");
    conf.put("tsd.core.meta.enable_realtime_uid", "true");
    TsdServer tsd = MetaStack.tsd(test, conf);
    Load load = new Load("tsmeta.m", 5);
    // One series after the other, so that names get the same UIDs everywhere.
    load.round().forEach(point -> tsd.client().put(List.of(point)));
    Await.until(
        test + ": five TSMeta objects",
        MetaStack.PATIENCE,
        () -> MetaRows.of(test).tsMetas().size() == 5);
    Map<String, JsonNode> found = new TreeMap<>();
    for (String tsuid : MetaRows.of(test).tsMetas().keySet()) {
      JsonNode meta = tsd.client().get("api/uid/tsmeta?tsuid=" + tsuid);
      withoutTimes(meta);
      found.put(tsuid, meta);
    }
    JsonNode lookup = tsd.client().get("api/search/lookup?m=tsmeta.m%7B%7D&use_meta=true");
    if (conf.containsKey("tsd.core.meta.cache.enable")) {
      assertThat(lookup.get("totalResults").asInt()).isEqualTo(5);
      assertThat(MetaRows.of(test).counters().values())
          .hasSize(5)
          .allMatch(counter -> counter.value() == 1);
    }
    tsd.stop();
    return found;
  }

  private static void withoutTimes(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(List.of("created", "lastReceived", "totalDatapoints"));
    }
    node.forEach(TrackIT::withoutTimes);
  }

  private static byte[] bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }
}
