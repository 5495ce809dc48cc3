package io.tsdbsuite.bench.rollup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.errorhandling.ForeignExceptionDispatcher;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * A table on the local disk, one HFile per region unless told otherwise, and its snapshot, written
 * without a server.
 */
final class TestTable {
  static final String FAMILY = "t";
  static final String SNAPSHOT = "backup";

  /** HBase's default, which OpenTSDB's create_table.sh does not change. */
  private static final int BLOCK_BYTES = 64 << 10;

  private static final long CREATED = 1_700_000_000_000L;

  private final Configuration conf;
  private final Path root;
  private final FileSystem fs;
  private final TableName name;
  private final String family;
  private final String snapshot;

  private TestTable(Configuration conf, Path root, TableName name, String family, String snapshot)
      throws IOException {
    this.name = name;
    this.family = family;
    this.snapshot = snapshot;
    this.conf = conf;
    this.root = root;
    this.fs = root.getFileSystem(conf);
  }

  /** Writes rows in key order. */
  @FunctionalInterface
  interface Rows {
    /** Appends all cells. */
    void writeTo(StoreFileWriter writer) throws IOException;
  }

  /**
   * A region.
   *
   * @param start its first row, inclusive; empty for the first of the table
   * @param end its last row, exclusive; empty for the last of the table
   * @param files contents of its HFiles
   */
  record Region(byte[] start, byte[] end, List<Rows> files) {
    /** A region of one HFile. */
    Region(byte[] start, byte[] end, Rows rows) {
      this(start, end, List.of(rows));
    }
  }

  /** Configuration of HBase and Hadoop for a root directory; reads are counted. */
  static Configuration conf(java.nio.file.Path root) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("fs.file.impl", CountingFileSystem.class.getName());
    conf.set("fs.defaultFS", "file:///");
    conf.set(HConstants.HBASE_DIR, uri(root));
    // As in the job: HBase would allocate memory for writes, and there are none.
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    return conf;
  }

  static String uri(java.nio.file.Path path) {
    return "file://" + path.toAbsolutePath();
  }

  /** Creates the table and its snapshot. */
  static void write(
      Configuration conf,
      java.nio.file.Path root,
      Compression.Algorithm compression,
      DataBlockEncoding encoding,
      Rows rows)
      throws IOException {
    new TestTable(conf, new Path(uri(root)), TableName.valueOf("tsdb"), FAMILY, SNAPSHOT)
        .write(compression, encoding, rows);
  }

  /**
   * Creates another table without compression, and its snapshot.
   *
   * @param rows rows of the table's only family
   */
  static void write(
      Configuration conf,
      java.nio.file.Path root,
      String table,
      String family,
      String snapshot,
      Rows rows)
      throws IOException {
    new TestTable(conf, new Path(uri(root)), TableName.valueOf(table), family, snapshot)
        .write(Compression.Algorithm.NONE, DataBlockEncoding.NONE, rows);
  }

  /**
   * Creates another table of several regions, and its snapshot.
   *
   * @param regions in row order, without gap or overlap
   */
  static void write(
      Configuration conf,
      java.nio.file.Path root,
      String table,
      String family,
      String snapshot,
      Compression.Algorithm compression,
      DataBlockEncoding encoding,
      List<Region> regions)
      throws IOException {
    new TestTable(conf, new Path(uri(root)), TableName.valueOf(table), family, snapshot)
        .write(compression, encoding, regions);
  }

  private void write(Compression.Algorithm compression, DataBlockEncoding encoding, Rows rows)
      throws IOException {
    write(compression, encoding, List.of(new Region(new byte[0], new byte[0], rows)));
  }

  private void write(
      Compression.Algorithm compression, DataBlockEncoding encoding, List<Region> regions)
      throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                    .setCompressionType(compression)
                    .setDataBlockEncoding(encoding)
                    .setBloomFilterType(BloomType.ROW)
                    .build())
            .build();
    Path tableDir = CommonFSUtils.getTableDir(root, name);
    List<RegionInfo> infos = new ArrayList<>();
    for (Region region : regions) {
      RegionInfo info =
          RegionInfoBuilder.newBuilder(name)
              .setRegionId(CREATED)
              .setStartKey(region.start)
              .setEndKey(region.end)
              .build();
      Path regionDir =
          HRegionFileSystem.createRegionOnFileSystem(conf, fs, tableDir, info).getRegionDir();
      for (Rows file : region.files) {
        writeFile(regionDir, compression, encoding, file);
      }
      infos.add(info);
    }
    snapshot(table, tableDir, infos);
  }

  private void writeFile(
      Path regionDir, Compression.Algorithm compression, DataBlockEncoding encoding, Rows rows)
      throws IOException {
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, fs)
            .withOutputDir(new Path(regionDir, family))
            .withBloomType(BloomType.ROW)
            .withFileContext(
                new HFileContextBuilder()
                    .withCompression(compression)
                    .withDataBlockEncoding(encoding)
                    .withBlockSize(BLOCK_BYTES)
                    .withIncludesMvcc(true)
                    .withHBaseCheckSum(true)
                    .withCellComparator(CellComparator.getInstance())
                    .build())
            .build();
    rows.writeTo(writer);
    writer.appendMetadata(1, false);
    writer.close();
  }

  private void snapshot(TableDescriptor table, Path tableDir, List<RegionInfo> regions)
      throws IOException {
    SnapshotDescription description =
        SnapshotDescription.newBuilder()
            .setName(snapshot)
            .setTable(name.getNameAsString())
            .setType(SnapshotDescription.Type.FLUSH)
            .setVersion(SnapshotDescriptionUtils.SNAPSHOT_LAYOUT_VERSION)
            .setCreationTime(CREATED)
            .build();
    Path working = SnapshotDescriptionUtils.getWorkingSnapshotDir(description, root, conf);
    fs.mkdirs(working);
    SnapshotDescriptionUtils.writeSnapshotInfo(description, working, fs);
    SnapshotManifest manifest =
        SnapshotManifest.create(
            conf, fs, working, description, new ForeignExceptionDispatcher(snapshot));
    manifest.addTableDescriptor(table);
    for (RegionInfo region : regions) {
      manifest.addRegion(tableDir, region);
    }
    manifest.consolidate();
    Path complete = SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root);
    SnapshotDescriptionUtils.completeSnapshot(complete, working, fs, fs, conf);
  }
}
