package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Snapshots as ExportSnapshot leaves them, of a table with the family t, an HFile per region. */
final class TestSnapshot {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final String HFILE = "00112233445566778899aabbccddeeff";

  private TestSnapshot() {}

  /**
   * Writes a snapshot.
   *
   * @param root where snapshots are
   * @param splits first rows of the second region and those after it
   * @param cells of all regions, in order
   */
  static void write(
      Path root, String name, List<byte[]> splits, Format format, List<KeyValue> cells)
      throws IOException {
    SnapshotDataManifest.Builder manifest =
        SnapshotDataManifest.newBuilder()
            .setTableSchema(
                ProtobufUtil.toTableSchema(
                    TableDescriptorBuilder.newBuilder(TABLE)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                        .build()));
    byte[] start = {};
    for (int i = 0; i <= splits.size(); i++) {
      byte[] end = i < splits.size() ? splits.get(i) : new byte[0];
      manifest.addRegionManifests(region(root, start, end, format, cells));
      start = end;
    }
    Path snapshot = Files.createDirectories(root.resolve(".hbase-snapshot").resolve(name));
    write(
        snapshot.resolve(".snapshotinfo"),
        SnapshotDescription.newBuilder().setName(name).setTable("tsdb").setVersion(2).build());
    write(snapshot.resolve("data.manifest"), manifest.build());
  }

  private static SnapshotRegionManifest region(
      Path root, byte[] start, byte[] end, Format format, List<KeyValue> all) throws IOException {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TABLE).setStartKey(start).setEndKey(end).build();
    List<KeyValue> cells = all.stream().filter(cell -> isIn(cell, start, end)).toList();
    Path store =
        Files.createDirectories(
            root.resolve("archive/data/default/tsdb/" + region.getEncodedName() + "/t"));
    SnapshotFile file =
        TestHFile.write(TestHFile.source(new Configuration()), store.resolve(HFILE), format, cells);
    return SnapshotRegionManifest.newBuilder()
        .setRegionInfo(ProtobufUtil.toRegionInfo(region))
        .addFamilyFiles(
            FamilyFiles.newBuilder()
                .setFamilyName(UnsafeByteOperations.unsafeWrap(new byte[] {'t'}))
                .addStoreFiles(StoreFile.newBuilder().setName(HFILE).setFileSize(file.length())))
        .build();
  }

  private static boolean isIn(KeyValue cell, byte[] start, byte[] end) {
    byte[] row = CellUtil.cloneRow(cell);
    return Arrays.compareUnsigned(row, start) >= 0
        && (end.length == 0 || Arrays.compareUnsigned(row, end) < 0);
  }

  private static void write(Path file, Message message) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      message.writeTo(out);
    }
  }
}
