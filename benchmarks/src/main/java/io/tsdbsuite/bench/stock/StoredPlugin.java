package io.tsdbsuite.bench.stock;

import net.opentsdb.core.TSDB;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import net.opentsdb.tsd.PutCounters;
import org.hbase.async.ClientStats;

/**
 * {@code GET /plugin/stored}: numbers of points by put that HBase has acknowledged, of failed
 * points, and of open calls to HBase, including buffered ones.
 *
 * <p>{@code ?KEY=VALUE...} first changes keys of the running TSD, so that two configurations are
 * measured in one JVM. Most keys are read at the start only; those of {@code
 * tsd.core.meta.enable_*} are read for each point.
 */
public final class StoredPlugin extends BenchPlugin {
  /** Called by the TSD. */
  public StoredPlugin() {
    super("stored");
  }

  @Override
  String answer(TSDB tsdb, HttpRpcPluginQuery query) {
    query
        .getQueryString()
        .forEach((key, values) -> tsdb.getConfig().overrideConfig(key, values.get(0)));
    ClientStats client = tsdb.getClient().stats();
    long open = client.inflightRPCs() + client.pendingRPCs() + client.pendingBatchedRPCs();
    return "{\"stored\":%s,\"failed\":%s,\"open\":%s}"
        .formatted(PutCounters.stored(), PutCounters.failed(), open);
  }
}
