package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A standalone HBase (ZooKeeper, master, one region server) in its own JVM, on the local file
 * system; or ZooKeeper and the master of an {@link HBaseCluster}.
 *
 * <p>A restart in the directory of a server that was stopped cleanly finds the data again. After
 * {@link #kill()} unflushed data is lost, because the local file system has no hflush. Files are
 * compacted only on request, so a test controls the number of HFiles of a table.
 */
public final class HBaseServer extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  /** Keys of the server's configuration that its clients need too. */
  private static final List<String> FOR_CLIENTS =
      List.of(
          "hbase.security.authentication",
          "hbase.rpc.protection",
          "hbase.master.kerberos.principal",
          "hbase.regionserver.kerberos.principal");

  private final Path dir;
  private final Map<String, String> conf;
  private final ServerKind kind;
  private final ServerKind tools;
  private final String role;
  private final int zkPort = FreePorts.next();
  private final AtomicInteger exports = new AtomicInteger();
  private final AtomicInteger regionServers = new AtomicInteger();
  private @Nullable Connection connection;

  private HBaseServer(
      Path dir, Map<String, String> conf, String role, ServerKind kind, ServerKind tools) {
    this.dir = dir.toAbsolutePath();
    this.conf = Map.copyOf(conf);
    this.role = role;
    this.kind = kind;
    this.tools = tools;
  }

  /**
   * Starts an HBase.
   *
   * @param dir directory of all its files; the directory of a former HBase is reused
   * @param conf overrides of hbase-site
   * @return the running server
   * @throws ServerException with the end of the log when it does not start
   */
  public static HBaseServer start(Path dir, Map<String, String> conf) {
    return start(dir, conf, false, List.of());
  }

  static HBaseServer start(
      Path dir, Map<String, String> conf, boolean optimized, List<String> jvmFlags) {
    ServerKind kind = ServerKind.HBASE;
    ServerKind started = (optimized ? kind.optimized() : kind).with(jvmFlags);
    HBaseServer server = new HBaseServer(dir, conf, "standalone", started, kind);
    server.start();
    return server;
  }

  /**
   * ZooKeeper and the master of an {@link HBaseCluster}.
   *
   * @param dir directory of all its files
   * @param conf overrides of hbase-site, {@code hbase.rootdir} among them
   * @param kind its JVM
   * @param tools the JVM of ExportSnapshot
   */
  static HBaseServer startMaster(
      Path dir, Map<String, String> conf, ServerKind kind, ServerKind tools) {
    HBaseServer server = new HBaseServer(dir, conf, "master", kind, tools);
    server.start();
    return server;
  }

  @Override
  ServerProcess launch() {
    Map<String, String> arguments = arguments();
    arguments.put("role", role);
    arguments.put("zkPort", Integer.toString(zkPort));
    return ServerProcess.start(kind, "hbase", dir, List.of(), arguments, START);
  }

  /**
   * Starts one more region server beside that of a standalone HBase, in its own JVM. It gets no
   * regions of tables that exist: a test moves them.
   *
   * @return the running server; stopped cleanly, it hands its regions back and loses nothing
   * @throws ServerException with the end of the log when it does not start
   */
  public HBaseRegionServer startRegionServer() {
    String name = "regionserver-" + regionServers.incrementAndGet();
    Map<String, String> site = new LinkedHashMap<>(conf);
    site.put("hbase.rootdir", rootDir());
    HBaseRegionServer server = new HBaseRegionServer(name, dir.resolve(name), tools, site, zkPort);
    server.start();
    return server;
  }

  private Map<String, String> arguments() {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("dir", dir.toString());
    conf.forEach((key, value) -> arguments.put("conf." + key, value));
    return arguments;
  }

  /**
   * The ZooKeeper quorum for clients.
   *
   * @return {@code localhost:PORT}
   */
  public String zkQuorum() {
    return "localhost:" + zkPort;
  }

  /**
   * ZooKeeper's port.
   *
   * @return the port, the same for the life of this object
   */
  public int zkPort() {
    return zkPort;
  }

  /**
   * The root directory, for jobs that read snapshots.
   *
   * @return hbase.rootdir, a {@code file:} URI, or {@code hdfs:} for an {@link HBaseCluster}
   */
  public String rootDir() {
    String uri = conf.getOrDefault("hbase.rootdir", dir.resolve("root").toUri().toString());
    return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
  }

  /**
   * The properties of a client's hbase-site.xml: quorum, port, root directory and a writable
   * directory.
   *
   * @return a new copy
   */
  public Map<String, String> clientSite() {
    Map<String, String> site = new LinkedHashMap<>();
    for (String key : FOR_CLIENTS) {
      if (conf.containsKey(key)) {
        site.put(key, conf.get(key));
      }
    }
    site.put("hbase.zookeeper.quorum", "localhost");
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(zkPort));
    site.put("hbase.rootdir", rootDir());
    site.put("hbase.tmp.dir", dir.resolve("tmp").toString());
    site.put("hadoop.tmp.dir", dir.resolve("hadoop").toString());
    site.put("hbase.client.pause", "50");
    return site;
  }

  /**
   * A client's configuration: quorum, port and root directory.
   *
   * @return a new copy
   */
  public Configuration clientConfiguration() {
    Configuration client = HBaseConfiguration.create();
    clientSite().forEach(client::set);
    return client;
  }

  /**
   * A connection, opened by the first call and closed with the server.
   *
   * @return the connection
   * @throws IOException when it cannot be opened
   */
  public synchronized Connection connection() throws IOException {
    if (connection == null || connection.isClosed()) {
      connection = ConnectionFactory.createConnection(clientConfiguration());
    }
    return connection;
  }

  /**
   * Flushes a table to HFiles.
   *
   * @param table the table
   * @throws IOException when HBase rejects the request
   */
  public void flush(String table) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      admin.flush(TableName.valueOf(table));
    }
  }

  /**
   * Flushes and compacts a table to one HFile per region and family, and waits for it.
   *
   * @param table the table
   * @throws IOException when HBase refuses
   * @throws ServerException when it is not done within a minute
   */
  public void majorCompact(String table) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      new TableRegions(admin, TableName.valueOf(table)).majorCompact();
    }
  }

  /**
   * Splits the region that holds a row, and waits until both daughters are online.
   *
   * @param table the table
   * @param row the second daughter's first row
   * @throws IOException when HBase refuses, for example because a region starts there already
   * @throws ServerException when it is not done within a minute
   */
  public void split(String table, byte[] row) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      new TableRegions(admin, TableName.valueOf(table)).split(row);
    }
  }

  /**
   * Takes a snapshot; the table is flushed first, as HBase does by default.
   *
   * @param table the table
   * @param snapshot the snapshot's name
   * @throws IOException when HBase refuses
   */
  public void snapshot(String table, String snapshot) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      admin.snapshot(snapshot, TableName.valueOf(table));
    }
  }

  /**
   * Exports a snapshot with HBase's own ExportSnapshot, in a JVM with the server's class path. It
   * verifies lengths, not checksums.
   *
   * @param snapshot the snapshot's name
   * @param target URI of the target root directory, {@code file:} or {@code s3a:}
   * @param properties Hadoop properties, for example {@link S3Server#s3aProperties()}
   * @throws ServerException with the end of the log when the export fails
   */
  public void exportSnapshot(String snapshot, String target, Map<String, String> properties) {
    exportSnapshot(snapshot, target, properties, false);
  }

  /**
   * Exports a snapshot again and overwrites the previous export ({@code -overwrite}).
   *
   * @param snapshot the snapshot's name
   * @param target the target passed to {@link #exportSnapshot}
   * @param properties Hadoop properties
   * @throws ServerException with the end of the log when the export fails
   */
  public void exportSnapshotAgain(String snapshot, String target, Map<String, String> properties) {
    exportSnapshot(snapshot, target, properties, true);
  }

  private void exportSnapshot(
      String snapshot, String target, Map<String, String> properties, boolean overwrite) {
    Map<String, String> arguments = arguments();
    arguments.put("overwrite", Boolean.toString(overwrite));
    Path work = dir.resolve("export-" + exports.incrementAndGet());
    arguments.put("dir", work.toString());
    arguments.put("rootDir", rootDir());
    arguments.put("export", snapshot);
    arguments.put("to", target);
    properties.forEach((key, value) -> arguments.put("conf." + key, value));
    ServerProcess.start(tools, "export-snapshot", work, List.of(), arguments, START).stop();
  }

  /**
   * Writes cells unchanged, including cell timestamps.
   *
   * @param table the table
   * @param cells the cells
   * @throws IOException when HBase refuses
   */
  public void putCells(String table, List<RawCell> cells) throws IOException {
    List<Put> puts = new ArrayList<>(cells.size());
    for (RawCell cell : cells) {
      puts.add(
          new Put(cell.row())
              .addColumn(
                  Bytes.toBytes(cell.family()), cell.qualifier(), cell.timestamp(), cell.value()));
    }
    try (Table target = connection().getTable(TableName.valueOf(table))) {
      target.put(puts);
    }
  }

  /**
   * Reads a whole table, the newest version of every cell.
   *
   * @param table the table
   * @return its cells in HBase's order
   * @throws IOException when HBase refuses
   */
  public List<RawCell> cells(String table) throws IOException {
    List<RawCell> cells = new ArrayList<>();
    scan(table, cells::add);
    return cells;
  }

  /**
   * Counts and digests a whole table, the newest version of every cell, without holding it in
   * memory.
   *
   * @param table the table
   * @return rows, cells and a digest, equal for tables with the same cells
   * @throws IOException when HBase refuses
   */
  public TableDigest digest(String table) throws IOException {
    TableDigest.Builder builder = new TableDigest.Builder();
    scan(table, builder::add);
    return builder.build();
  }

  private void scan(String table, Consumer<RawCell> each) throws IOException {
    try (Table source = connection().getTable(TableName.valueOf(table));
        ResultScanner scanner = source.getScanner(new Scan())) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          each.accept(
              new RawCell(
                  CellUtil.cloneRow(cell),
                  Bytes.toString(CellUtil.cloneFamily(cell)),
                  CellUtil.cloneQualifier(cell),
                  cell.getTimestamp(),
                  CellUtil.cloneValue(cell)));
        }
      }
    }
  }

  /**
   * Deletes a row: its delete marker stays until a major compaction.
   *
   * @param table the table
   * @param row the row key
   * @throws IOException when HBase refuses
   */
  public void deleteRow(String table, byte[] row) throws IOException {
    try (Table target = connection().getTable(TableName.valueOf(table))) {
      target.delete(new Delete(row));
    }
  }

  /**
   * Deletes all versions of one cell: the delete marker stays until a major compaction.
   *
   * @param table the table
   * @param row the row key
   * @param family the column family
   * @param qualifier the qualifier
   * @throws IOException when HBase refuses
   */
  public void deleteCell(String table, byte[] row, String family, byte[] qualifier)
      throws IOException {
    try (Table target = connection().getTable(TableName.valueOf(table))) {
      target.delete(new Delete(row).addColumns(Bytes.toBytes(family), qualifier));
    }
  }

  @Override
  void beforeEnd() {
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        throw new ServerException("the HBase connection did not close", e);
      } finally {
        connection = null;
      }
    }
  }
}
