package io.tsdbsuite.bench.loadtest;

import java.io.IOException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Number of a table's requests, from its regions' counters. HBase counts rows: a put of several
 * cells of a row is one write.
 *
 * @param writes puts, increments and deletes
 * @param reads rows that gets and scans returned
 */
record Requests(long writes, long reads) {
  /** The requests since the regions were opened, as the region servers report them. */
  static Requests of(Connection connection, String table) throws IOException {
    long writes = 0;
    long reads = 0;
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, TableName.valueOf(table))) {
          writes += region.getWriteRequestCount();
          reads += region.getReadRequestCount();
        }
      }
    }
    return new Requests(writes, reads);
  }

  Requests minus(Requests before) {
    return new Requests(writes - before.writes, reads - before.reads);
  }
}
