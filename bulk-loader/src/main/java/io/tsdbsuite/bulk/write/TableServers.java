package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/** The region servers that had the regions of a table at one moment. */
public final class TableServers {
  private final Connection connection;
  private final Set<ServerName> servers = new TreeSet<>();

  /**
   * Those of now.
   *
   * @throws JobException when HBase fails
   */
  public TableServers(Connection connection, TableName table) {
    this.connection = connection;
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        servers.add(location.getServerName());
      }
    } catch (IOException e) {
      throw JobException.outside(
          "table %s: HBase did not return its region locations: %s"
              .formatted(table, HBaseFailures.reason(e)),
          e);
    }
  }

  /**
   * Those that are not the same process any more.
   *
   * @throws IOException when HBase fails
   */
  public Set<ServerName> ended() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Collection<ServerName> alive = admin.getRegionServers();
      Set<ServerName> ended = new TreeSet<>(servers);
      ended.removeAll(alive);
      return ended;
    }
  }
}
