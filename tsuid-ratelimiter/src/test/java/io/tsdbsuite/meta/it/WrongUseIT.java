package io.tsdbsuite.meta.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.ServerException;
import io.tsdbsuite.testkit.TsdServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an operator sees who got the configuration wrong, or has an older TSD. */
class WrongUseIT {
  @Test
  void aWrongConfigurationStopsTheStartWithAllProblems() {
    Map<String, String> conf =
        MetaStack.plugin(
            "wrong", "max_size", "20 bytes", "ttl_seconds", "0", "mode", "all", "ttl", "60");
    conf.put("tsd.core.meta.enable_tsuid_tracking", "false");
    conf.put("tsd.core.enable_ui", "true");
    assertThatThrownBy(() -> MetaStack.tsd("wrong", conf))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("ended with exit code")
        .hasMessageContaining("tsd.core.enable_ui is not false")
        .hasMessageContaining(
            "tsd.meta.cache.max_size must be an integer from 1 to 2147483647, found 20 bytes")
        .hasMessageContaining(
            "tsd.meta.cache.ttl_seconds must be an integer from 1 to 2592000, found 0")
        .hasMessageContaining("tsd.meta.cache.mode must be one of track, count, found all")
        .hasMessageContaining("tsd.meta.cache.ttl is no key of tsuid-ratelimiter")
        .hasMessageContaining("tsd.core.meta.enable_tsuid_tracking must be true, found false");
  }

  @Test
  void aTsdThatOnlyReadsWritesNoMetaData() {
    Map<String, String> conf = MetaStack.plugin("read-only");
    conf.put("tsd.mode", "ro");
    TsdServer tsd = MetaStack.tsd("read-only", conf);
    assertThat(tsd.client().stats())
        .isNotEmpty()
        .doesNotContainKey("tsd.meta.cache.size plugin=metaCache");
    tsd.stop();
  }

  @Test
  void aStartupPluginTellsTheStatisticsToo() {
    Map<String, String> conf = MetaStack.plugin("startup");
    conf.put("tsd.startup.enable", "true");
    conf.put("tsd.startup.plugin", "io.tsdbsuite.meta.MetaCacheStartup");
    TsdServer tsd = MetaStack.tsd("startup", conf);
    assertThat(tsd.client().stats())
        .containsKey("tsd.meta.cache.size plugin=startup")
        .containsKey("tsd.meta.cache.size plugin=metaCache");
    tsd.stop();
  }
}
