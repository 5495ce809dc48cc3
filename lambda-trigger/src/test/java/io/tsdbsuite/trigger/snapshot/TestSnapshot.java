package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.format.snapshot.StoreFileName;
import io.tsdbsuite.trigger.s3.FakeS3;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.Reference;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** An exported snapshot in memory, with HBase's manifest. */
public final class TestSnapshot {
  private final String name;
  private final String fullTable;
  private final TableName table;
  private final Instant created;
  private final List<SnapshotRegionManifest> regions = new ArrayList<>();
  private boolean oldReferences;
  private Optional<Duration> ttl = Optional.empty();
  private final Map<String, Long> files = new LinkedHashMap<>();

  private TestSnapshot(String name, String fullTable, Instant created) {
    this.name = name;
    this.fullTable = fullTable;
    this.created = created;
    int colon = fullTable.indexOf(':');
    String namespace = colon < 0 ? "default" : fullTable.substring(0, colon);
    this.table =
        TableName.newBuilder()
            .setNamespace(ByteString.copyFromUtf8(namespace))
            .setQualifier(ByteString.copyFromUtf8(fullTable.substring(colon + 1)))
            .build();
  }

  /** A snapshot without regions, of a table in HBase's notation: {@code tsdb}, {@code ns:tsdb}. */
  public static TestSnapshot of(String name, String table, Instant created) {
    return new TestSnapshot(name, table, created);
  }

  /** A complete snapshot: two HFiles in two regions, of which the second is empty. */
  public static TestSnapshot whole(String name, String table, Instant created) {
    TestSnapshot snapshot = of(name, table, created);
    String region = snapshot.region("", "m", Map.of("aa01", 100L, "aa02", 200L));
    snapshot.region("m", "", Map.of());
    String directory =
        snapshot.table.getNamespace().toStringUtf8()
            + "/"
            + snapshot.table.getQualifier().toStringUtf8();
    snapshot.hfile(directory + "/" + region + "/t/aa01", 100);
    snapshot.hfile(directory + "/" + region + "/t/aa02", 200);
    return snapshot;
  }

  /** Split keys are in the reference files, not in the manifest: old versions of HBase. */
  TestSnapshot oldReferences() {
    oldReferences = true;
    return this;
  }

  /** The table has a TTL. */
  public TestSnapshot ttl(Duration time) {
    ttl = Optional.of(time);
    return this;
  }

  /** Adds a region; returns its encoded name. */
  public String region(String start, String end, Map<String, Long> storeFiles) {
    return region(info(start, end).build(), storeFiles);
  }

  RegionInfo.Builder info(String start, String end) {
    return RegionInfo.newBuilder()
        .setRegionId(1_763_700_000_000L + regions.size())
        .setTableName(table)
        .setStartKey(ByteString.copyFromUtf8(start))
        .setEndKey(ByteString.copyFromUtf8(end));
  }

  String region(RegionInfo info, Map<String, Long> storeFiles) {
    SnapshotRegionManifest.FamilyFiles.Builder family =
        SnapshotRegionManifest.FamilyFiles.newBuilder().setFamilyName(ByteString.copyFromUtf8("t"));
    storeFiles.forEach(
        (file, size) -> {
          StoreFile.Builder stored = family.addStoreFilesBuilder().setName(file).setFileSize(size);
          if (StoreFileName.isReference(file) && !oldReferences) {
            stored.setReference(
                Reference.newBuilder()
                    .setSplitkey(ByteString.copyFromUtf8("m"))
                    .setRange(Reference.Range.TOP));
          }
        });
    SnapshotRegionManifest.Builder region = SnapshotRegionManifest.newBuilder().setRegionInfo(info);
    if (!storeFiles.isEmpty()) {
      region.addFamilyFiles(family);
    }
    regions.add(region.build());
    return new RegionCoverage().add(info);
  }

  /** Adds an exported HFile by its path below archive/data/. */
  public void hfile(String path, long size) {
    files.put(path, size);
  }

  byte[] manifest() {
    ColumnFamilySchema.Builder family =
        ColumnFamilySchema.newBuilder().setName(ByteString.copyFromUtf8("t"));
    ttl.ifPresent(
        time ->
            family
                .addAttributesBuilder()
                .setFirst(ByteString.copyFromUtf8("TTL"))
                .setSecond(ByteString.copyFromUtf8(Long.toString(time.toSeconds()))));
    return SnapshotDataManifest.newBuilder()
        .setTableSchema(TableSchema.newBuilder().setTableName(table).addColumnFamilies(family))
        .addAllRegionManifests(regions)
        .build()
        .toByteArray();
  }

  byte[] info() {
    return SnapshotDescription.newBuilder()
        .setName(name)
        .setTable(fullTable)
        .setCreationTime(created.toEpochMilli())
        .build()
        .toByteArray();
  }

  /** All keys relative to the root, the HFiles first, in the order of a first export. */
  public List<String> keys() {
    List<String> keys = new ArrayList<>();
    files.keySet().forEach(file -> keys.add("archive/data/" + file));
    keys.add(".hbase-snapshot/" + name + "/.snapshotinfo");
    keys.add(".hbase-snapshot/" + name + "/data.manifest");
    return keys;
  }

  /** Writes one of the keys. */
  public void put(FakeS3 s3, String root, String key) {
    if (key.endsWith(".snapshotinfo")) {
      s3.put(root + key, info());
    } else if (key.endsWith("data.manifest")) {
      s3.put(root + key, manifest());
    } else {
      s3.putSize(root + key, files.get(key.substring("archive/data/".length())));
    }
  }

  /** Writes all objects. */
  public TestSnapshot put(FakeS3 s3, String root) {
    keys().forEach(key -> put(s3, root, key));
    return this;
  }
}
