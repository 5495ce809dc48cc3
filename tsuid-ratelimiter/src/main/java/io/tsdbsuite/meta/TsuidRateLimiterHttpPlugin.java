package io.tsdbsuite.meta;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.metrics.PrometheusStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * Serves {@code /plugin/tsuid-ratelimiter/metrics}, the statistics in Prometheus's text format;
 * configured in {@code tsd.http.rpc.plugins}.
 */
public final class TsuidRateLimiterHttpPlugin extends HttpRpcPlugin {
  private static final String PATH = "tsuid-ratelimiter";
  private static final String METRICS = "metrics";
  private static final String TEXT = "text/plain; charset=UTF-8";

  /** Called by the TSD. */
  public TsuidRateLimiterHttpPlugin() {}

  @Override
  public void initialize(TSDB tsdb) {
    // Requests bring everything that is needed.
  }

  @Override
  public Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // TsuidRateLimiter reports all statistics.
  }

  @Override
  public String getPath() {
    return PATH;
  }

  @Override
  public void execute(TSDB tsdb, HttpRpcPluginQuery query) throws IOException {
    String[] path = query.explodePath();
    String endpoint = path.length > 2 ? path[2] : "";
    TsuidRateLimiter plugin = TsuidRateLimiter.of(tsdb);
    if (!endpoint.equals(METRICS)) {
      error(query, HttpResponseStatus.NOT_FOUND, "the endpoint is " + METRICS);
    } else if (!query.method().equals(HttpMethod.GET)) {
      error(query, HttpResponseStatus.METHOD_NOT_ALLOWED, METRICS + " is read with GET");
    } else if (plugin == null) {
      error(
          query,
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "tsd.core.meta.cache.plugin must be " + TsuidRateLimiter.class.getName());
    } else {
      PrometheusStats stats = new PrometheusStats(MetaCacheMetrics.CATALOG);
      plugin.collectStats(stats);
      query.sendBuffer(
          HttpResponseStatus.OK,
          ChannelBuffers.wrappedBuffer(stats.text()),
          PrometheusStats.CONTENT_TYPE);
    }
  }

  private static void error(HttpRpcPluginQuery query, HttpResponseStatus status, String message) {
    byte[] text = (message + "\n").getBytes(StandardCharsets.UTF_8);
    query.sendBuffer(status, ChannelBuffers.wrappedBuffer(text), TEXT);
  }
}
