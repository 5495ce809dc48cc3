package io.tsdbsuite.bulk.hbase;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.HBaseProbe;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connection to the HBase of a TSD; opening it checks that HBase answers and has the tables.
 * Thread-safe.
 *
 * <p>The check gives up within {@link HBaseProbe#LIMIT}. Later operations survive the restart of a
 * region server and fail after 120 s, not after HBase's default of 20 minutes. Keys of an
 * hbase-site.xml on the class path apply, except the keys of the address.
 */
public final class TsdHBase implements Closeable {
  private final HBaseAddress address;
  private final Configuration configuration;
  private final Connection connection;

  private TsdHBase(HBaseAddress address, Configuration configuration, Connection connection) {
    this.address = address;
    this.configuration = configuration;
    this.connection = connection;
  }

  /**
   * Connects, and checks.
   *
   * @param address address of HBase as in the TSD's configuration
   * @param configuration as {@link #configuration} gives it
   * @param tables required tables: the key that names a table in the TSD's configuration, and the
   *     table's name, as {@link #tables} gives them
   * @throws JobException usage, with all tables that are missing or disabled; outside, when HBase
   *     does not answer in time
   */
  public static TsdHBase open(
      HBaseAddress address, Configuration configuration, Map<String, String> tables) {
    List<String> problems =
        HBaseProbe.ask(
            configuration, address.toString(), connection -> problems(connection, address, tables));
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    return checked(address, configuration);
  }

  private static List<String> problems(
      Connection connection, HBaseAddress address, Map<String, String> tables) throws IOException {
    List<String> problems = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (Map.Entry<String, String> table : tables.entrySet()) {
        String problem = problem(admin, address, table.getValue());
        if (problem != null) {
          problems.add(table.getKey() + ": " + problem);
        }
      }
    }
    return problems;
  }

  private static @Nullable String problem(Admin admin, HBaseAddress address, String table)
      throws IOException {
    TableName name;
    try {
      name = TableName.valueOf(table);
    } catch (IllegalArgumentException e) {
      return "must be a table name of HBase, found '" + table + "': " + e.getMessage();
    }
    if (!admin.tableExists(name)) {
      return "table '" + table + "' must exist in HBase at " + address + ", found none";
    }
    if (admin.isTableDisabled(name)) {
      return "table '" + table + "' must be enabled in HBase at " + address + ", found disabled";
    }
    return null;
  }

  /**
   * Connects without checking the tables, which the driver has checked.
   *
   * @param configuration as {@link #configuration} gives it
   * @throws JobException outside, when no connection can be made
   */
  public static TsdHBase checked(HBaseAddress address, Configuration configuration) {
    try {
      return new TsdHBase(
          address, configuration, ConnectionFactory.createConnection(configuration));
    } catch (IOException e) {
      throw HBaseFailures.outside("HBase at " + address + " must take a connection", e);
    }
  }

  /**
   * The tables that a load needs, under the keys that name them.
   *
   * @param meta whether the table of time series metadata is one of them
   */
  public static Map<String, String> tables(StorageSchema schema, boolean meta) {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put(StorageSchema.DATA_TABLE, schema.dataTable());
    tables.put(StorageSchema.UID_TABLE, schema.uidTable());
    if (meta) {
      tables.put(StorageSchema.META_TABLE, schema.metaTable());
    }
    return tables;
  }

  /**
   * Configuration for clients of this HBase; nothing is connected.
   *
   * @param base Hadoop's settings, not changed
   * @param overrides keys of HBase's configuration that override all others
   */
  public static Configuration configuration(
      Configuration base, HBaseAddress address, Map<String, String> overrides) {
    Map<String, String> properties = new LinkedHashMap<>(address.hbaseProperties());
    properties.putAll(overrides);
    return HBaseClients.configuration(base, properties);
  }

  /** Configuration for its clients; a new copy for each call. */
  public Configuration configuration() {
    return new Configuration(configuration);
  }

  /** The connection, open until {@link #close()}. */
  public Connection connection() {
    return connection;
  }

  /** Closes the connection. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw HBaseFailures.outside("the connection to HBase at " + address + " must close", e);
    }
  }
}
