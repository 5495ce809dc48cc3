package io.tsdbsuite.trigger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {
  private static final Instant CREATED = Instant.parse("2026-11-21T00:30:00Z");
  private static final String PARENT = "fedcba9876543210fedcba9876543210";

  private final TestSnapshot snapshot = TestSnapshot.of("tsdb-20261121", "tsdb", CREATED);

  private Manifest read() throws IOException {
    return read(snapshot.manifest());
  }

  private static Manifest read(byte[] bytes) throws IOException {
    return ManifestReader.read("tsdb-20261121", new ByteArrayInputStream(bytes));
  }

  @Test
  void filesOfEveryKind() throws IOException {
    String first = snapshot.region("", "m", Map.of("aa01", 100L));
    snapshot.region("m", "", Map.of("ns=other=ff-bb01", 7L, "cc01." + PARENT, 8L));
    Manifest manifest = read();
    assertThat(manifest.regions()).isEqualTo(2);
    assertThat(manifest.fileCount()).isEqualTo(3);
    assertThat(manifest.bytes()).isEqualTo(115);
    assertThat(manifest.files().get("default/tsdb"))
        .containsOnly(Map.entry(first + "/t/aa01", 100L), Map.entry(PARENT + "/t/cc01", 8L));
    assertThat(manifest.files().get("ns/other")).containsOnly(Map.entry("ff/t/bb01", 7L));
  }

  @ParameterizedTest
  @CsvSource({"tsdb, 0", "tsdb, 2", "ns:tsdb, 0", "ns:tsdb, 2"})
  void regionsAreNamedAsHBaseNamesThem(String table, int replica) {
    var region =
        RegionInfoBuilder.newBuilder(TableName.valueOf(table))
            .setStartKey(new byte[] {0, -1, 17})
            .setEndKey(Bytes.toBytes("z"))
            .setRegionId(1_763_700_000_123L)
            .setReplicaId(replica)
            .build();
    assertThat(new RegionCoverage().add(ProtobufUtil.toRegionInfo(region)))
        .isEqualTo(region.getEncodedName());
  }

  @Test
  void bothDaughtersShareAnHFileOfTheirParent() throws IOException {
    snapshot.region("", "m", Map.of("aa01." + PARENT, 100L));
    snapshot.region("m", "", Map.of("aa01." + PARENT, 100L));
    snapshot.region(snapshot.info("", "").setSplit(true).setOffline(true).build(), Map.of());
    assertThat(read().fileCount()).isEqualTo(1);
  }

  /** The job reads the split key from the reference file, so an export without it is not whole. */
  @Test
  void aReferenceFileWithTheSplitKeyIsNeeded() throws IOException {
    String reference = "aa01." + PARENT;
    String daughter = snapshot.oldReferences().region("", "", Map.of(reference, 100L));
    assertThat(read().files().get("default/tsdb"))
        .containsOnly(
            Map.entry(PARENT + "/t/aa01", 100L),
            Map.entry(daughter + "/t/" + reference, Manifest.UNKNOWN_SIZE));
  }

  @Test
  void theLeastTtlOfAllFamilies() throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb"));
    assertThat(read(manifest(table)).ttl()).isEmpty();
    table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("id"));
    assertThat(read(manifest(table)).ttl()).isEmpty();
    for (int days : new int[] {30, 90}) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t" + days))
              .setTimeToLive(days * 86400)
              .build());
    }
    assertThat(read(manifest(table)).ttl()).contains(Duration.ofDays(30));
  }

  private static byte[] manifest(TableDescriptorBuilder table) {
    RegionInfo whole = RegionInfoBuilder.newBuilder(TableName.valueOf("tsdb")).build();
    return SnapshotDataManifest.newBuilder()
        .setTableSchema(ProtobufUtil.toTableSchema(table.build()))
        .addRegionManifests(
            SnapshotRegionManifest.newBuilder().setRegionInfo(ProtobufUtil.toRegionInfo(whole)))
        .build()
        .toByteArray();
  }

  /** HBase allows letters of any script in names of tables. */
  @Test
  void aLinkToATableWithOtherLetters() throws IOException {
    snapshot.region("", "", Map.of("größe=метрики=ff-bb01", 7L));
    assertThat(read().files().get("größe/метрики")).containsOnly(Map.entry("ff/t/bb01", 7L));
  }

  /** A family of large values anywhere in the table. */
  @Test
  void mobFilesAreInARegionOfTheirOwn() throws IOException {
    snapshot.region("", "", Map.of("aa01", 100L));
    var mob = MobUtils.getMobRegionInfo(TableName.valueOf("tsdb"));
    snapshot.region(
        ProtobufUtil.toRegionInfo(mob),
        Map.of("d41d8cd98f00b204e9800998ecf8427e20261120aa_ff01", 5L));
    assertThat(read().files().get("default/tsdb"))
        .containsEntry(
            mob.getEncodedName() + "/t/d41d8cd98f00b204e9800998ecf8427e20261120aa_ff01", 5L);
  }

  @Test
  void cutOffAnywhere() throws IOException {
    for (String start : new String[] {"", "d", "h", "q"}) {
      String end = Map.of("", "d", "d", "h", "h", "q", "q", "").get(start);
      snapshot.region(start, end, Map.of("aa0" + start.length() + "1", 100L, "bb", 5L));
    }
    byte[] bytes = snapshot.manifest();
    assertThat(read(bytes).regions()).isEqualTo(4);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(IncompleteSnapshotException.class)
          .hasMessageStartingWith(
              "snapshot 'tsdb-20261121' is not whole: data.manifest is cut off");
    }
  }

  @Test
  void holesAndOverlaps() {
    snapshot.region("", "d", Map.of());
    snapshot.region("e", "", Map.of());
    assertThatThrownBy(this::read)
        .hasMessageContaining("a region begins at row 65 but the previous region ends at 64");
    TestSnapshot twice = TestSnapshot.of("x", "tsdb", CREATED);
    twice.region("", "", Map.of());
    twice.region("d", "", Map.of());
    assertThatThrownBy(() -> read(twice.manifest()))
        .hasMessageContaining("two regions reach to the end of the table");
  }

  @Test
  void contradictionsAndUnknownNames() {
    snapshot.region("", "m", Map.of("aa01." + PARENT, 100L));
    snapshot.region("m", "", Map.of("aa01." + PARENT, 101L));
    assertThatThrownBy(this::read).hasMessageContaining("of the same HFile, " + PARENT + "/t/aa01");
    TestSnapshot unknown = TestSnapshot.of("x", "tsdb", CREATED);
    unknown.region("", "", Map.of("what?", 1L));
    assertThatThrownBy(() -> read(unknown.manifest())).hasMessageContaining("'what?' is neither");
  }
}
