package io.tsdbsuite.metrics;

import com.stumbleupon.async.Deferred;
import java.io.IOException;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/** An HTTP plugin with endpoints {@code /plugin/<path>/<endpoint>} and no state of its own. */
public abstract class HttpEndpointPlugin extends HttpRpcPlugin {
  private final String path;
  private final String version;

  /**
   * Creates the plugin.
   *
   * @param path name below {@code /plugin/}
   * @param version version that the TSD shows
   */
  protected HttpEndpointPlugin(String path, String version) {
    this.path = path;
    this.version = version;
  }

  /**
   * Answers a request.
   *
   * @param endpoint the word after the plugin's path; empty if there is none
   * @throws IOException if the answer cannot be written
   */
  protected abstract void respond(TSDB tsdb, HttpRpcPluginQuery query, String endpoint)
      throws IOException;

  /** Answers with statistics in Prometheus's text format. */
  protected static void sendMetrics(HttpRpcPluginQuery query, PrometheusStats stats) {
    query.sendBuffer(
        HttpResponseStatus.OK,
        ChannelBuffers.wrappedBuffer(stats.text()),
        PrometheusStats.CONTENT_TYPE);
  }

  @Override
  public final void execute(TSDB tsdb, HttpRpcPluginQuery query) throws IOException {
    String[] words = query.explodePath();
    respond(tsdb, query, words.length > 2 ? words[2] : "");
  }

  @Override
  public final void initialize(TSDB tsdb) {
    // A request has the TSD.
  }

  @Override
  public final Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public final String version() {
    return version;
  }

  @Override
  public final String getPath() {
    return path;
  }

  @Override
  public final void collectStats(StatsCollector collector) {
    // The plugin that counts reports its statistics itself.
  }
}
