package io.tsdbsuite.meta;

import io.tsdbsuite.metrics.HttpEndpointPlugin;
import io.tsdbsuite.metrics.PrometheusStats;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import java.nio.charset.StandardCharsets;
import net.opentsdb.core.TSDB;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * Serves {@code /plugin/tsuid-ratelimiter/metrics}, the statistics in Prometheus's text format;
 * configured in {@code tsd.http.rpc.plugins}.
 */
public final class TsuidRateLimiterHttpPlugin extends HttpEndpointPlugin {
  private static final String METRICS = "metrics";
  private static final String TEXT = "text/plain; charset=UTF-8";

  /** Called by the TSD. */
  public TsuidRateLimiterHttpPlugin() {
    super(
        "tsuid-ratelimiter",
        PluginVersion.of(TsuidRateLimiterHttpPlugin.class, "tsuid-ratelimiter"));
  }

  @Override
  protected void respond(TSDB tsdb, HttpRpcPluginQuery query, String endpoint) {
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
      sendMetrics(query, stats);
    }
  }

  private static void error(HttpRpcPluginQuery query, HttpResponseStatus status, String message) {
    byte[] text = (message + "\n").getBytes(StandardCharsets.UTF_8);
    query.sendBuffer(status, ChannelBuffers.wrappedBuffer(text), TEXT);
  }
}
