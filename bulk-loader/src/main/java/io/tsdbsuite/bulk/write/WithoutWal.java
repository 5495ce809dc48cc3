package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Makes a load without write-ahead log safe at its end: the table is flushed, and all region
 * servers of the beginning must still be the same processes.
 */
public final class WithoutWal {
  private final Connection connection;
  private final TableName table;
  private final ServerWatch servers;

  private WithoutWal(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
    this.servers = new ServerWatch(connection, Set.of(), joined -> {});
  }

  /**
   * Before the first put.
   *
   * @throws JobException when HBase fails
   */
  public static WithoutWal begin(Connection connection, TableName table) {
    WithoutWal load = new WithoutWal(connection, table);
    load.servers.look();
    return load;
  }

  /** During the load, so that servers that join are known: they may end, too. */
  public void look() {
    servers.look();
  }

  /**
   * After the last put: flushes the table.
   *
   * @throws JobException when the flush fails, or a server has ended since the load began
   */
  public void end() {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    } catch (IOException e) {
      throw JobException.outside(
          "table %s: was not flushed after a load without write-ahead log: %s"
              .formatted(table, HBaseFailures.reason(e)),
          e);
    }
    Set<String> ended = servers.ended();
    if (!ended.isEmpty()) {
      throw JobException.outside(
          "region server "
              + ended.iterator().next()
              + " ended during a load without write-ahead log: rows that it had acknowledged"
              + " may be lost; load the input again, stored points are not written twice");
    }
  }
}
