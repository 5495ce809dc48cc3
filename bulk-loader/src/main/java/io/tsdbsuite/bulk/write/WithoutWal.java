package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.error.LoadException;
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

/**
 * Makes a load without write-ahead log safe at its end: the table is flushed, and the servers that
 * had its regions when the load began must still be the same processes.
 */
public final class WithoutWal {
  private final Connection connection;
  private final TableName table;
  private final Set<ServerName> servers;

  private WithoutWal(Connection connection, TableName table, Set<ServerName> servers) {
    this.connection = connection;
    this.table = table;
    this.servers = servers;
  }

  /**
   * Before the first put.
   *
   * @throws LoadException when HBase fails
   */
  public static WithoutWal begin(Connection connection, TableName table) {
    Set<ServerName> servers = new TreeSet<>();
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        servers.add(location.getServerName());
      }
    } catch (IOException e) {
      throw LoadException.outside(
          "table " + table + ": HBase did not say where its regions are: " + e.getMessage(), e);
    }
    return new WithoutWal(connection, table, servers);
  }

  /**
   * After the last put: flushes the table.
   *
   * @throws LoadException when the flush fails, or a server has ended since the load began
   */
  public void end() {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
      Collection<ServerName> alive = admin.getRegionServers();
      for (ServerName server : servers) {
        if (!alive.contains(server)) {
          throw LoadException.outside(
              "region server "
                  + server
                  + " ended during a load without write-ahead log: rows that it had acknowledged"
                  + " may be lost; load the input again, what is stored is not written twice",
              null);
        }
      }
    } catch (IOException e) {
      throw LoadException.outside(
          "table "
              + table
              + ": was not flushed after a load without write-ahead log: "
              + e.getMessage(),
          e);
    }
  }
}
