package io.tsdbsuite.meta.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.PrometheusScrape;
import io.tsdbsuite.testkit.TsdServer;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The meta table goes away under a TSD that stores, and comes back. */
class OutageIT {
  private static final int SERIES = 300;
  private static final long TTL_MILLIS = 2_000;

  @ParameterizedTest
  @ValueSource(strings = {"track", "count"})
  void dataGoesOnAndTheMetaFollows(String mode) throws Exception {
    String test = "outage-" + mode;
    Map<String, String> conf =
        MetaStack.plugin(
            test,
            "mode",
            mode,
            "ttl_seconds",
            Long.toString(TTL_MILLIS / 1000),
            "backoff_seconds",
            "1",
            "max_rpcs_in_flight",
            "50",
            "max_size",
            "250");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.meta.TsuidRateLimiterHttpPlugin");
    // Without these asynchbase keeps a thousand RPCs per region before any of them fails.
    conf.put("hbase.nsre.low_watermark", "10");
    conf.put("hbase.nsre.high_watermark", "20");
    TsdServer tsd = MetaStack.tsd(test, conf);
    Load old = new Load(test + ".old", SERIES / 2);
    Load young = new Load(test + ".young", SERIES / 2);
    long points = old.write(tsd, 3);
    MetaStack.disable(test + "-meta");
    long away = System.currentTimeMillis();
    try {
      // New series are among them.
      points += old.writeWithFour(tsd, 10);
      points += young.writeWithFour(tsd, 10);
      Await.until("writes that fail", MetaStack.PATIENCE, () -> failing(tsd));
      points += young.writeWithFour(tsd, 10);
      // HBase has refused a write, so it has answered all before. A series is due a TTL after its
      // answer; the second TTL is for the TSD's clock. One whole round comes later than that.
      long allDue = System.currentTimeMillis() + 2 * TTL_MILLIS;
      boolean last;
      do {
        last = System.currentTimeMillis() > allDue;
        points += old.write(tsd, 1);
      } while (!last);
      assertThat(MetaStack.stat(tsd, "evictions")).isPositive();
      assertThat(tsd.isAlive()).isTrue();
      assertThat(MetaStack.stat(tsd, "rpcs_in_flight")).isLessThanOrEqualTo(60);
      assertThat(MetaStack.stat(tsd, "size")).isLessThanOrEqualTo(300);
      Await.until("a lag", MetaStack.PATIENCE, () -> MetaStack.stat(tsd, "flush_lag_seconds") > 0);
      assertThat(MetaStack.stat(tsd, "errors")).isZero();
      String metrics = "http://127.0.0.1:" + tsd.port() + "/plugin/tsuid-ratelimiter/metrics";
      assertThat(PrometheusScrape.of(URI.create(metrics))).isNotEmpty();
    } finally {
      MetaStack.enable(test + "-meta");
    }
    long written = points;
    boolean counting = mode.equals("count");
    // Without a further point: what was due meanwhile is owed, also by series that were evicted.
    Await.until(
        "all series to be tracked since the outage began",
        MetaStack.PATIENCE,
        () ->
            MetaRows.of(test).counters().values().stream()
                    .filter(counter -> counter.timestamp() > away)
                    .count()
                == SERIES);
    MetaStack.awaitStat(tsd, "rpcs_in_flight", 0);
    assertThat(MetaStack.stat(tsd, "series.lost")).isZero();
    long ambiguous = 0;
    if (counting) {
      assertThat(MetaStack.stat(tsd, "points.lost")).isZero();
      ambiguous = MetaStack.stat(tsd, "points.ambiguous");
    }
    tsd.stop();
    MetaRows rows = MetaRows.of(test);
    if (counting) {
      assertThat(rows.sum()).isBetween(written, written + ambiguous);
    } else {
      assertThat(rows.counters().values()).allMatch(counter -> counter.value() == 1);
    }
  }

  private static boolean failing(TsdServer tsd) {
    return MetaStack.stat(tsd, "failures") > 0;
  }
}
