package io.tsdbsuite.bulk.hbase;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.HBaseClients;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Connection to the HBase of a TSD; opening it checks that HBase answers and has the tables.
 * Thread-safe.
 *
 * <p>The check gives up within {@link TableCheck#LIMIT}. Later operations survive the restart of a
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
   * @param overrides keys of HBase's configuration that override all others
   * @param tables required tables: the key that names a table in the TSD's configuration, and the
   *     table's name, as {@link #tables} gives them
   * @throws JobException usage, with all tables that are missing or disabled; outside, when HBase
   *     does not answer in time
   */
  public static TsdHBase open(
      HBaseAddress address, Map<String, String> overrides, Map<String, String> tables) {
    return open(address, configuration(address, overrides), tables);
  }

  /**
   * The same with a configuration that is made.
   *
   * @param configuration as {@link #configuration} gives it
   * @throws JobException as {@link #open(HBaseAddress, Map, Map)}
   */
  public static TsdHBase open(
      HBaseAddress address, Configuration configuration, Map<String, String> tables) {
    TableCheck.run(configuration, address, tables);
    return checked(address, configuration);
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

  /** Configuration for clients of this HBase; nothing is connected. */
  public static Configuration configuration(HBaseAddress address, Map<String, String> overrides) {
    return configuration(new Configuration(), address, overrides);
  }

  /**
   * The same, based on another configuration than Hadoop's defaults.
   *
   * @param base not changed
   */
  public static Configuration configuration(
      Configuration base, HBaseAddress address, Map<String, String> overrides) {
    Map<String, String> properties = new LinkedHashMap<>(address.hbaseProperties());
    properties.putAll(overrides);
    return HBaseClients.configuration(base, properties);
  }

  /** Where it is, for messages. */
  public HBaseAddress address() {
    return address;
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
