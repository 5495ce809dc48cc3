package io.tsdbsuite.bench.stored;

import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import net.opentsdb.tsd.PutCounters;
import org.hbase.async.ClientStats;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/**
 * {@code GET /plugin/stored}: numbers of points by put that HBase has acknowledged, of failed
 * points, and of open calls to HBase, including buffered ones.
 *
 * <p>{@code ?KEY=VALUE...} first changes keys of the running TSD, so that two configurations are
 * measured in one JVM. Most keys are read at the start only; those of {@code
 * tsd.core.meta.enable_*} are read for each point.
 */
public final class StoredPlugin extends HttpRpcPlugin {
  /** Called by the TSD. */
  public StoredPlugin() {}

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
    return "stored";
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // The endpoint reports them.
  }

  @Override
  public String getPath() {
    return "stored";
  }

  @Override
  public void execute(TSDB tsdb, HttpRpcPluginQuery query) {
    query
        .getQueryString()
        .forEach((key, values) -> tsdb.getConfig().overrideConfig(key, values.get(0)));
    ClientStats client = tsdb.getClient().stats();
    long open = client.inflightRPCs() + client.pendingRPCs() + client.pendingBatchedRPCs();
    String body =
        "{\"stored\":"
            + PutCounters.stored()
            + ",\"failed\":"
            + PutCounters.failed()
            + ",\"open\":"
            + open
            + "}";
    query.sendBuffer(
        HttpResponseStatus.OK,
        ChannelBuffers.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)),
        "application/json; charset=UTF-8");
  }
}
