package io.tsdbsuite.hbase.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;

class DataManifestTest {
  private static final TableName TABLE = TableName.valueOf("ns:tsdb");
  private static final String PARENT = "fedcba9876543210fedcba9876543210";
  private static final String HFILE = "00112233445566778899aabbccddeeff";

  private final SnapshotDataManifest.Builder manifest =
      SnapshotDataManifest.newBuilder()
          .setTableSchema(
              ProtobufUtil.toTableSchema(
                  TableDescriptorBuilder.newBuilder(TABLE)
                      .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                      .build()));

  private static RegionInfoBuilder info(String start, String end) {
    return RegionInfoBuilder.newBuilder(TABLE)
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .setRegionId(1);
  }

  private static StoreFile.Builder file(String name) {
    return StoreFile.newBuilder().setName(name).setFileSize(name.length());
  }

  private String region(RegionInfo region, String family, StoreFile.Builder... files) {
    FamilyFiles.Builder all =
        FamilyFiles.newBuilder()
            .setFamilyName(UnsafeByteOperations.unsafeWrap(Bytes.toBytes(family)));
    for (StoreFile.Builder file : files) {
      all.addStoreFiles(file);
    }
    manifest.addRegionManifests(
        SnapshotRegionManifest.newBuilder()
            .setRegionInfo(ProtobufUtil.toRegionInfo(region))
            .addFamilyFiles(all));
    return region.getEncodedName();
  }

  private static SortedMap<String, Long> read(InputStream bytes) throws IOException {
    SortedMap<String, Long> files = new TreeMap<>();
    TableName table =
        DataManifest.read(
            "night", bytes, (path, size) -> files.put(path.directory() + "/" + path.file(), size));
    assertThat(table).isEqualTo(TABLE);
    return files;
  }

  private SortedMap<String, Long> read() throws IOException {
    return read(new ByteArrayInputStream(manifest.build().toByteArray()));
  }

  /** Split parents, other families and links need their files too. */
  @Test
  void everyFileOfEveryRegion() throws IOException {
    Reference half = Reference.createTopReference(new byte[] {7});
    String first =
        region(
            info("", "m").build(),
            "t",
            file("aa01"),
            file("aa02_SeqId_7_"),
            file("dd01." + PARENT).setReference(half.convert()));
    String last = region(info("m", "").build(), "x", file("default=other=" + PARENT + "-" + HFILE));
    String parent = region(info("", "").setSplit(true).build(), "t", file("bb01"));
    region(
        info("", "").setSplit(true).build(),
        "t",
        file("origin.v2=" + PARENT + "-cc01." + PARENT).setReference(half.convert()));
    assertThat(read().keySet())
        .containsExactlyInAnyOrder(
            "ns/tsdb/" + first + "/t/aa01",
            "ns/tsdb/" + first + "/t/aa02_SeqId_7_",
            "ns/tsdb/" + PARENT + "/t/dd01",
            "default/other/" + PARENT + "/x/" + HFILE,
            "ns/tsdb/" + parent + "/t/bb01",
            "default/origin.v2/" + PARENT + "/t/cc01");
    assertThat(last).isNotEqualTo(first);
    assertThat(read()).containsEntry("ns/tsdb/" + first + "/t/aa01", 4L);
  }

  /** The names of these tables begin as references to HFiles do. */
  @Test
  void linksToTablesWithADotAfterHexDigits() throws IOException {
    Reference half = Reference.createTopReference(new byte[] {7});
    region(
        info("", "").build(),
        "t",
        file("cafe.tsdb=" + PARENT + "-cc01"),
        file("cafe.tsdb=" + PARENT + "-cc02." + HFILE).setReference(half.convert()),
        file("dead." + HFILE + "=" + PARENT + "-cc03"),
        file("ab=cafe.tsdb=" + PARENT + "-cc04"));
    assertThat(read())
        .containsOnlyKeys(
            "default/cafe.tsdb/" + PARENT + "/t/cc01",
            "default/cafe.tsdb/" + PARENT + "/t/cc02",
            "default/dead." + HFILE + "/" + PARENT + "/t/cc03",
            "ab/cafe.tsdb/" + PARENT + "/t/cc04");
  }

  @Test
  void mobFilesAreInARegionOfTheirOwn() throws IOException {
    region(info("", "").build(), "t", file("aa01"));
    String mob = HFILE + "20261101" + HFILE + "_" + PARENT;
    String region = region(MobUtils.getMobRegionInfo(TABLE), "t", file(mob), file("bb01"));
    assertThat(read())
        .hasSize(3)
        .containsEntry("ns/tsdb/" + region + "/t/" + mob, (long) mob.length())
        .containsKey("ns/tsdb/" + region + "/t/bb01");
  }

  /** The split key is in the file itself, as old HBase versions left it. */
  @Test
  void aReferenceWithoutItsKeyIsAFileToo() throws IOException {
    String region = region(info("", "").build(), "t", file("dd01." + PARENT));
    assertThat(read())
        .containsOnlyKeys(
            "ns/tsdb/" + PARENT + "/t/dd01", "ns/tsdb/" + region + "/t/dd01." + PARENT)
        .containsEntry("ns/tsdb/" + region + "/t/dd01." + PARENT, DataManifest.UNKNOWN_SIZE);
  }

  @Test
  void cutOffAnywhere() throws IOException {
    region(info("", "d").build(), "t", file("aa01"), file("aa02"));
    region(info("d", "m").build(), "t");
    region(info("m", "").build(), "t", file("bb01"));
    byte[] bytes = manifest.build().toByteArray();
    assertThat(read()).hasSize(3);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(new ByteArrayInputStream(cut)))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("snapshot 'night'")
          .extracting(e -> ((StorageException) e).kind())
          .isEqualTo(Kind.BAD_INPUT);
    }
  }

  @Test
  void holesAndUnknownNames() {
    region(info("", "d").build(), "t");
    region(info("e", "").build(), "t");
    assertThatThrownBy(this::read).hasMessageContaining("starts at row e where the region before");
    manifest.clearRegionManifests();
    region(info("", "").build(), "t", file("what?"));
    assertThatThrownBy(this::read).hasMessageContaining("'what?' is neither an HFile nor a link");
  }

  /** Each of them begins where the one before it ends, but all rows are there twice. */
  @Test
  void regionsAfterOneThatIsTheWholeTable() {
    region(info("", "").build(), "t");
    region(info("", "d").setRegionId(2).build(), "t");
    region(info("d", "").setRegionId(2).build(), "t");
    assertThatThrownBy(this::read).hasMessageContaining("must join without hole or overlap");
  }

  @Test
  void aFailingStreamIsNoDamage() {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("connection reset");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            return read();
          }
        };
    assertThatThrownBy(() -> read(failing))
        .isInstanceOf(IOException.class)
        .hasMessage("connection reset");
  }
}
