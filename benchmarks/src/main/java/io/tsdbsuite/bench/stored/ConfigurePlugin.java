package io.tsdbsuite.bench.stored;

import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * {@code GET /plugin/configure?KEY=VALUE...}: changes keys of the running TSD, so that two
 * configurations are measured in one JVM. Most keys are read at the start only; those of {@code
 * tsd.core.meta.enable_*} are read for each point.
 */
public final class ConfigurePlugin extends HttpRpcPlugin {
  /** Called by the TSD. */
  public ConfigurePlugin() {}

  @Override
  public void initialize(TSDB tsdb) {
    // Each request carries the TSD.
  }

  @Override
  public Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return "configure";
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // It has none.
  }

  @Override
  public String getPath() {
    return "configure";
  }

  @Override
  public void execute(TSDB tsdb, HttpRpcPluginQuery query) {
    for (Map.Entry<String, List<String>> key : query.getQueryString().entrySet()) {
      tsdb.getConfig().overrideConfig(key.getKey(), key.getValue().get(0));
    }
    query.sendBuffer(
        HttpResponseStatus.OK,
        ChannelBuffers.wrappedBuffer("{}".getBytes(StandardCharsets.UTF_8)),
        "application/json; charset=UTF-8");
  }
}
