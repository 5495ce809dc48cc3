package io.tsdbsuite.bench.stock;

import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * A plugin that answers one path below {@code /plugin} with JSON. It is public because the TSD
 * calls its methods by reflection.
 */
public abstract class BenchPlugin extends HttpRpcPlugin {
  private final String path;

  BenchPlugin(String path) {
    this.path = path;
  }

  /** Handles a request, and returns the answer, JSON. */
  abstract String answer(TSDB tsdb, HttpRpcPluginQuery query);

  @Override
  public void initialize(TSDB tsdb) {
    // Each request carries the TSD.
  }

  @Override
  public Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public final String version() {
    return path;
  }

  @Override
  public final void collectStats(StatsCollector collector) {
    // The answer has them.
  }

  @Override
  public final String getPath() {
    return path;
  }

  @Override
  public final void execute(TSDB tsdb, HttpRpcPluginQuery query) {
    query.sendBuffer(
        HttpResponseStatus.OK,
        ChannelBuffers.wrappedBuffer(answer(tsdb, query).getBytes(StandardCharsets.UTF_8)),
        "application/json; charset=UTF-8");
  }
}
