package io.tsdbsuite.meta.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.metrics.plugin.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetaCacheConfigTest {
  private static final String P = "tsd.meta.cache.";

  private static Map<String, String> minimal() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.network.port", "4242");
    conf.put("tsd.core.meta.enable_tsuid_tracking", "true");
    return conf;
  }

  private static List<String> problems(Map<String, String> conf, boolean hexNames) {
    return catchThrowableOfType(ConfigException.class, () -> MetaCacheConfig.read(conf, hexNames))
        .problems();
  }

  @Test
  void hasDefaults() {
    MetaCacheConfig config = MetaCacheConfig.read(minimal(), false);
    assertThat(config.maxSize()).isEqualTo(1_000_000);
    assertThat(config.ttlSeconds()).isEqualTo(3600);
    assertThat(config.mode()).isEqualTo(Mode.TRACK);
    assertThat(config.createTsMeta()).isFalse();
    assertThat(config.maxRpcsInFlight()).isEqualTo(1000);
    assertThat(config.answerTimeoutSeconds()).isEqualTo(60);
    assertThat(config.backoffSeconds()).isEqualTo(10);
    assertThat(config.maxNewSeriesPerHour()).isZero();
    assertThat(config.maxOwedSeries()).isEqualTo(100_000);
    assertThat(config.shutdownTimeoutSeconds()).isEqualTo(60);
  }

  @Test
  void takesEveryKey() {
    Map<String, String> conf = minimal();
    conf.put("tsd.core.meta.enable_tsuid_tracking", " YES ");
    conf.put(P + "max_size", " 7 ");
    conf.put(P + "ttl_seconds", "2592000");
    conf.put(P + "mode", "Count");
    conf.put(P + "create_tsmeta", "true");
    conf.put(P + "max_rpcs_in_flight", "2");
    conf.put(P + "answer_timeout_seconds", "6");
    conf.put(P + "backoff_seconds", "3");
    conf.put(P + "max_new_series_per_hour", "4");
    conf.put(P + "max_owed_series", "0");
    conf.put(P + "shutdown_timeout_seconds", "5");
    MetaCacheConfig config = MetaCacheConfig.read(conf, true);
    assertThat(config.maxSize()).isEqualTo(7);
    assertThat(config.ttlSeconds()).isEqualTo(2_592_000);
    assertThat(config.mode()).isEqualTo(Mode.COUNT);
    assertThat(config.createTsMeta()).isTrue();
    assertThat(config.maxRpcsInFlight()).isEqualTo(2);
    assertThat(config.answerTimeoutSeconds()).isEqualTo(6);
    assertThat(config.backoffSeconds()).isEqualTo(3);
    assertThat(config.maxNewSeriesPerHour()).isEqualTo(4);
    assertThat(config.maxOwedSeries()).isZero();
    assertThat(config.shutdownTimeoutSeconds()).isEqualTo(5);
  }

  @Test
  void createsTsMetaAsTheTsdWould() {
    Map<String, String> conf = minimal();
    conf.put("tsd.core.meta.enable_realtime_ts", "1");
    assertThat(MetaCacheConfig.read(conf, true).createTsMeta()).isTrue();
    conf.put(P + "create_tsmeta", "false");
    assertThat(MetaCacheConfig.read(conf, true).createTsMeta()).isFalse();
  }

  @Test
  void tellsAllProblemsAtOnce() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.core.meta.enable_realtime_ts", "true");
    conf.put(P + "max_size", "0");
    conf.put(P + "ttl_seconds", "an hour");
    conf.put(P + "mode", "both");
    conf.put(P + "create_tsmeta", "");
    conf.put(P + "max_rpcs_in_flight", "-1");
    conf.put(P + "backoff_seconds", "3601");
    conf.put(P + "shutdown_timeout_seconds", "99999999999");
    conf.put(P + "ttl", "60");
    // The TSD's own, which also start with tsd.core.meta.cache, are none of the plugin's.
    conf.put("tsd.core.meta.cache.enable", "true");
    assertThat(problems(conf, false))
        .containsExactlyInAnyOrder(
            P + "max_size must be an integer from 1 to 2147483647, found 0",
            P + "ttl_seconds must be an integer from 1 to 2592000, found an hour",
            P + "mode must be one of track, count, found both",
            P + "create_tsmeta must have a value, or be left out",
            P + "max_rpcs_in_flight must be an integer from 1 to 1000000, found -1",
            P + "backoff_seconds must be an integer from 1 to 3600, found 3601",
            P + "shutdown_timeout_seconds must be an integer from 1 to 86400, found 99999999999",
            P + "ttl is no key of tsuid-ratelimiter",
            "tsd.core.meta.enable_tsuid_tracking must be true, found nothing",
            "TSMeta objects, which tsd.meta.cache.create_tsmeta or"
                + " tsd.core.meta.enable_realtime_ts ask for, need"
                + " javax.xml.bind.DatatypeConverter, which Java 11 and later do not have: put"
                + " jaxb-api 2.3.1 on the TSD's class path");
  }

  @Test
  void wantsTrackingToBeOn() {
    Map<String, String> conf = minimal();
    conf.put("tsd.core.meta.enable_tsuid_tracking", "on");
    assertThat(problems(conf, true))
        .containsExactly("tsd.core.meta.enable_tsuid_tracking must be true, found on");
  }
}
