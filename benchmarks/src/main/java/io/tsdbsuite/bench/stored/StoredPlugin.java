package io.tsdbsuite.bench.stored;

import net.opentsdb.core.TSDB;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import net.opentsdb.tsd.PutCounters;
import org.hbase.async.ClientStats;

/**
 * {@code GET /plugin/stored}: numbers of points by put that HBase has acknowledged, of failed
 * points, and of open calls to HBase, including buffered ones.
 */
public final class StoredPlugin extends BenchPlugin {
  /** Called by the TSD. */
  public StoredPlugin() {
    super("stored");
  }

  @Override
  String answer(TSDB tsdb, HttpRpcPluginQuery query) {
    ClientStats client = tsdb.getClient().stats();
    long open = client.inflightRPCs() + client.pendingRPCs() + client.pendingBatchedRPCs();
    return "{\"stored\":"
        + PutCounters.stored()
        + ",\"failed\":"
        + PutCounters.failed()
        + ",\"open\":"
        + open
        + "}";
  }
}
