package io.tsdbsuite.hbase.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Families that need more than HBase's defaults, in snapshots without files. */
class SnapshotLoaderTest {
  private static final TableName TABLE = TableName.valueOf("tsdb");

  @TempDir Path directory;

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }

  private Snapshot load(List<ColumnFamilyDescriptor> families) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    families.forEach(table::setColumnFamily);
    SnapshotDataManifest.Builder manifest =
        SnapshotDataManifest.newBuilder()
            .setTableSchema(ProtobufUtil.toTableSchema(table.build()))
            .addRegionManifests(region(RegionInfoBuilder.newBuilder(TABLE).build()));
    if (families.stream().anyMatch(ColumnFamilyDescriptor::isMobEnabled)) {
      manifest.addRegionManifests(region(MobUtils.getMobRegionInfo(TABLE)));
    }
    Path snapshot = Files.createDirectories(directory.resolve(".hbase-snapshot/night"));
    try (OutputStream info = Files.newOutputStream(snapshot.resolve(".snapshotinfo"));
        OutputStream data = Files.newOutputStream(snapshot.resolve("data.manifest"))) {
      SnapshotDescription.newBuilder()
          .setName("night")
          .setTable("tsdb")
          .setVersion(2)
          .build()
          .writeTo(info);
      manifest.build().writeTo(data);
    }
    return new SnapshotLoader(new Configuration(), directory.toUri().toString()).load("night", "t");
  }

  private static SnapshotRegionManifest region(RegionInfo region) {
    return SnapshotRegionManifest.newBuilder()
        .setRegionInfo(ProtobufUtil.toRegionInfo(region))
        .build();
  }

  private void requireConfiguration(ColumnFamilyDescriptor family, String... words) {
    assertThatThrownBy(() -> load(List.of(family)))
        .isInstanceOf(StorageException.class)
        .hasMessageContainingAll(words)
        .extracting(e -> ((StorageException) e).kind())
        .isEqualTo(StorageException.Kind.CONFIGURATION);
  }

  @Test
  void aMobFamilyBesideTheOneThatIsRead() throws IOException {
    Snapshot snapshot =
        load(List.of(family("t").build(), family("big").setMobEnabled(true).build()));
    assertThat(snapshot.regions()).hasSize(1);
  }

  @Test
  void aFamilyThatCannotBeReadIsNoDamage() {
    requireConfiguration(family("t").setMobEnabled(true).build(), "'t'", "IS_MOB");
    requireConfiguration(
        family("t").setEncryptionType("AES").build(),
        "ENCRYPTION => 'AES'",
        "hbase.crypto.keyprovider.parameters",
        "hbase.crypto.master.key.name");
    requireConfiguration(
        family("t").setCompressionType(Compression.Algorithm.BROTLI).build(), "BROTLI", "codec");
  }
}
