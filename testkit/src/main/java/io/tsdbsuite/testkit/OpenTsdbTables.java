package io.tsdbsuite.testkit;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * The tables of one OpenTSDB, as its create_table.sh creates them: bloom filter ROW, data block
 * encoding DIFF, one version for data, tree and rollup tables. The default compression is NONE
 * instead of the script's LZO.
 */
public final class OpenTsdbTables {
  private static final String DATA_FAMILY = "t";

  private String data = "tsdb";
  private String uid = "tsdb-uid";
  private String tree = "tsdb-tree";
  private String meta = "tsdb-meta";
  private String coverage = "";
  private final Set<String> rollups = new LinkedHashSet<>();
  private final Set<String> packed = new HashSet<>();
  private Compression.Algorithm compression = Compression.Algorithm.NONE;
  private DataBlockEncoding encoding = DataBlockEncoding.DIFF;
  private int ttlSeconds = HConstants.FOREVER;
  private byte[][] splits = new byte[0][];

  private OpenTsdbTables() {}

  /**
   * Tables with OpenTSDB's default names, without rollup tables.
   *
   * @return the tables, to be adapted
   */
  public static OpenTsdbTables defaults() {
    return new OpenTsdbTables();
  }

  /**
   * Tables with a schema's names, including rollup, histogram and packed tables if rollups are on.
   *
   * @param schema schema of the TSD
   * @return the tables, to be adapted
   * @throws IOException when the rollup configuration cannot be read
   */
  public static OpenTsdbTables of(StorageSchema schema) throws IOException {
    OpenTsdbTables tables = new OpenTsdbTables();
    tables.data = schema.dataTable();
    tables.uid = schema.uidTable();
    tables.tree = schema.treeTable();
    tables.meta = schema.metaTable();
    String rollups = schema.rollupConfig();
    if (schema.rollupsEnabled() && rollups != null) {
      RollupConfig config = RollupConfig.load(rollups);
      for (RollupInterval interval : config.intervals()) {
        tables.rollup(interval.table());
        tables.rollup(interval.preAggregationTable());
      }
      // Their families and attributes are those of rollup tables; cells of packed rows are not
      // alike.
      for (Level level : config.levels()) {
        if (level.isHistogram() || level.isPacked()) {
          tables.rollup(level.table());
        }
        if (level.isPacked()) {
          tables.packed.add(level.table());
        }
      }
    }
    return tables;
  }

  /**
   * Tables with the names of a TSD's configuration, as above.
   *
   * @param conf the keys of an opentsdb.conf; the rollup configuration may be a file or JSON
   * @return the tables, to be adapted
   * @throws IOException when the rollup configuration cannot be read
   */
  public static OpenTsdbTables of(Map<String, String> conf) throws IOException {
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> entry : conf.entrySet()) {
      config = config.with(entry.getKey(), entry.getValue());
    }
    return of(StorageSchema.from(config));
  }

  /**
   * Names the data table.
   *
   * @param name tsdb by default
   * @return this
   */
  public OpenTsdbTables data(String name) {
    data = name;
    return this;
  }

  /**
   * Names the UID table.
   *
   * @param name tsdb-uid by default
   * @return this
   */
  public OpenTsdbTables uid(String name) {
    uid = name;
    return this;
  }

  /**
   * Names the tree table.
   *
   * @param name tsdb-tree by default
   * @return this
   */
  public OpenTsdbTables tree(String name) {
    tree = name;
    return this;
  }

  /**
   * Names the meta table.
   *
   * @param name tsdb-meta by default
   * @return this
   */
  public OpenTsdbTables meta(String name) {
    meta = name;
    return this;
  }

  /**
   * Adds a rollup table, or a histogram table.
   *
   * @param name its name; the data table's name and an empty name are ignored
   * @return this
   */
  public OpenTsdbTables rollup(String name) {
    if (!name.isEmpty() && !name.equals(data)) {
      rollups.add(name);
    }
    return this;
  }

  /**
   * Adds the coverage table of docs/coverage.md.
   *
   * @param name its name
   * @return this
   */
  public OpenTsdbTables coverage(String name) {
    coverage = name;
    return this;
  }

  /**
   * Compresses all tables.
   *
   * @param algorithm SNAPPY, LZ4, LZO, ZSTD or GZ
   * @return this
   */
  public OpenTsdbTables compression(Compression.Algorithm algorithm) {
    compression = algorithm;
    return this;
  }

  /**
   * Encodes the data blocks of all tables.
   *
   * @param blockEncoding DIFF by default; packed tables have none
   * @return this
   */
  public OpenTsdbTables encoding(DataBlockEncoding blockEncoding) {
    encoding = blockEncoding;
    return this;
  }

  /**
   * Sets a time to live for cells of the data table.
   *
   * @param ttl whole seconds from the cell timestamp
   * @return this
   */
  public OpenTsdbTables ttl(Duration ttl) {
    ttlSeconds = Math.toIntExact(ttl.toSeconds());
    return this;
  }

  /**
   * Pre-splits the data, rollup and histogram tables.
   *
   * @param keys first rows of all regions except the first
   * @return this
   */
  public OpenTsdbTables splits(List<byte[]> keys) {
    splits = keys.toArray(new byte[0][]);
    return this;
  }

  /**
   * The table names.
   *
   * @return data, UID, tree, meta, rollup and histogram tables, and the coverage table if there is
   *     one
   */
  public List<String> names() {
    List<String> names = new ArrayList<>(List.of(data, uid, tree, meta));
    names.addAll(rollups);
    if (!coverage.isEmpty()) {
      names.add(coverage);
    }
    return names;
  }

  /**
   * Creates the missing tables, and waits until they are available.
   *
   * @param admin client of the HBase
   * @throws IOException when HBase refuses
   */
  public void create(Admin admin) throws IOException {
    // At the same time: the client sleeps between its looks whether a table is there.
    List<Future<Void>> created = new ArrayList<>();
    created.add(create(admin, table(data, false, ttlSeconds, DATA_FAMILY), splits));
    created.add(create(admin, table(uid, true, HConstants.FOREVER, "id", "name")));
    created.add(create(admin, table(tree, false, HConstants.FOREVER, DATA_FAMILY)));
    created.add(create(admin, table(meta, true, HConstants.FOREVER, "name")));
    for (String rollup : rollups) {
      created.add(create(admin, table(rollup, false, ttlSeconds, DATA_FAMILY), splits));
    }
    if (!coverage.isEmpty()) {
      created.add(create(admin, table(coverage, false, HConstants.FOREVER, "c")));
    }
    for (Future<Void> each : created) {
      FutureUtils.get(each, 10, TimeUnit.MINUTES);
    }
  }

  /**
   * Drops the existing tables.
   *
   * @param admin of the HBase
   * @throws IOException when HBase refuses
   */
  public void drop(Admin admin) throws IOException {
    for (String name : names()) {
      TableName table = TableName.valueOf(name);
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
  }

  private TableDescriptor table(String name, boolean defaultVersions, int ttl, String... families) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
    for (String family : families) {
      ColumnFamilyDescriptorBuilder column =
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setCompressionType(compression)
              .setDataBlockEncoding(packed.contains(name) ? DataBlockEncoding.NONE : encoding)
              .setBloomFilterType(BloomType.ROW)
              .setTimeToLive(ttl);
      if (!defaultVersions) {
        column.setMaxVersions(1);
      }
      table.setColumnFamily(column.build());
    }
    return table.build();
  }

  private static Future<Void> create(Admin admin, TableDescriptor table, byte[]... splits)
      throws IOException {
    TableName name = table.getTableName();
    if (admin.tableExists(name)) {
      return CompletableFuture.completedFuture(null);
    }
    ensureNamespace(admin, name.getNamespaceAsString());
    return splits.length == 0
        ? admin.createTableAsync(table)
        : admin.createTableAsync(table, splits);
  }

  private static void ensureNamespace(Admin admin, String namespace) throws IOException {
    if (namespace.equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR)) {
      return;
    }
    try {
      admin.getNamespaceDescriptor(namespace);
    } catch (NamespaceNotFoundException e) {
      admin.createNamespace(NamespaceDescriptor.create(namespace).build());
    }
  }
}
