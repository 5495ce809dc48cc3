package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.format.uid.UidRow;
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
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
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
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;

/**
 * Tables below one root directory on the local disk, and their snapshots, written without a server.
 */
final class Tables {
  static final String FAMILY = "t";
  static final String DATA = "backup";
  static final String UIDS = "uids";

  /** HBase's default, which OpenTSDB's create_table.sh does not change. */
  private static final int BLOCK_BYTES = 64 << 10;

  private static final long CREATED = 1_700_000_000_000L;

  private final Configuration conf;
  private final Path root;
  private final FileSystem fs;

  Tables(java.nio.file.Path root) throws IOException {
    this.root = new Path(uri(root));
    conf = HBaseConfiguration.create();
    conf.set("fs.file.impl", CountingFileSystem.class.getName());
    conf.set("fs.defaultFS", "file:///");
    conf.set(HConstants.HBASE_DIR, uri());
    // As in the job: HBase would allocate memory for writes, and there are none.
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    fs = this.root.getFileSystem(conf);
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
  record Region(byte[] start, byte[] end, List<? extends Rows> files) {
    /** The only region of a table, with one HFile. */
    static List<Region> whole(Rows rows) {
      return List.of(new Region(new byte[0], new byte[0], List.of(rows)));
    }
  }

  /** Configuration of HBase and Hadoop for the root directory; reads are counted. */
  Configuration conf() {
    return conf;
  }

  String uri() {
    return root.toString();
  }

  private static String uri(java.nio.file.Path path) {
    return "file://" + path.toAbsolutePath();
  }

  /** Restores the snapshot of the data for the stock way. */
  Job restore(java.nio.file.Path dir, @Nullable Filter filter) throws IOException {
    return StockFormat.restore(new Configuration(conf), DATA, FAMILY, new Path(uri(dir)), filter);
  }

  /** Name of the data table of a snapshot. */
  static String dataTable(String snapshot) {
    return "tsdb-" + snapshot;
  }

  /** Creates a data table and its snapshot. */
  void data(
      String snapshot, Algorithm compression, DataBlockEncoding encoding, List<Region> regions)
      throws IOException {
    write(dataTable(snapshot), FAMILY, snapshot, compression, encoding, regions);
  }

  /** Creates a data table with many small HFiles, SNAPPY and FAST_DIFF, and its snapshot. */
  void smallFiles(String snapshot, int regions, int files) throws IOException {
    data(
        snapshot,
        Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        DataRows.smallFiles(regions, files));
  }

  /** Creates an empty table and its snapshot, for rollups. */
  void empty(String table, String snapshot) throws IOException {
    write(
        table,
        FAMILY,
        snapshot,
        Algorithm.NONE,
        DataBlockEncoding.NONE,
        Region.whole(writer -> {}));
  }

  /**
   * Creates the UID table with the encoding of create_table.sh, and its snapshot.
   *
   * @param width of all UIDs, bytes
   * @param tagvs number of named tag values
   */
  void uids(int width, int tagvs) throws IOException {
    write(
        "tsdb-uid",
        UidRow.NAME_FAMILY,
        UIDS,
        Algorithm.NONE,
        DataBlockEncoding.DIFF,
        Region.whole(writer -> Names.write(writer, width, tagvs)));
  }

  private void write(
      String name,
      String family,
      String snapshot,
      Algorithm compression,
      DataBlockEncoding encoding,
      List<Region> regions)
      throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                    .setCompressionType(compression)
                    .setDataBlockEncoding(encoding)
                    .setBloomFilterType(BloomType.ROW)
                    .build())
            .build();
    Path tableDir = CommonFSUtils.getTableDir(root, table.getTableName());
    List<RegionInfo> infos = new ArrayList<>();
    for (Region region : regions) {
      RegionInfo info =
          RegionInfoBuilder.newBuilder(table.getTableName())
              .setRegionId(CREATED)
              .setStartKey(region.start)
              .setEndKey(region.end)
              .build();
      infos.add(info);
      Path dir =
          HRegionFileSystem.createRegionOnFileSystem(conf, fs, tableDir, info).getRegionDir();
      for (Rows file : region.files) {
        write(new Path(dir, family), compression, encoding, file);
      }
    }
    snapshot(table, tableDir, snapshot, infos);
  }

  private void write(Path dir, Algorithm compression, DataBlockEncoding encoding, Rows rows)
      throws IOException {
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, fs)
            .withOutputDir(dir)
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

  private void snapshot(
      TableDescriptor table, Path tableDir, String snapshot, List<RegionInfo> regions)
      throws IOException {
    SnapshotDescription description =
        SnapshotDescription.newBuilder()
            .setName(snapshot)
            .setTable(table.getTableName().getNameAsString())
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
