package io.tsdbsuite.meta;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tools.StartupPlugin;
import net.opentsdb.utils.Config;
import org.jspecify.annotations.Nullable;

/**
 * Reports the statistics of {@link TsuidRateLimiter} to a TSD 2.4.0, which does not collect them
 * from a meta cache; the class that {@code tsd.startup.plugin} names. A TSD 2.4.1 collects them
 * itself: with both, every statistic appears twice, with two values of the tag {@code plugin}.
 */
public final class MetaCacheStartup extends StartupPlugin {
  private volatile @Nullable TSDB tsdb;

  /** Made by the TSD. */
  public MetaCacheStartup() {}

  /** Changes nothing. */
  @Override
  public Config initialize(Config config) {
    return config;
  }

  @Override
  public void setReady(TSDB ready) {
    tsdb = ready;
  }

  @Override
  public Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return PluginVersion.of(MetaCacheStartup.class, "tsuid-ratelimiter");
  }

  @Override
  public String getType() {
    return "tsuid-ratelimiter statistics";
  }

  @Override
  public void collectStats(StatsCollector collector) {
    TSDB ready = tsdb;
    TsuidRateLimiter plugin = ready == null ? null : TsuidRateLimiter.of(ready);
    if (plugin != null) {
      plugin.collectStats(collector);
    }
  }
}
