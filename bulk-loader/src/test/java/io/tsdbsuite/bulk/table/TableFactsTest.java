package io.tsdbsuite.bulk.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TableFactsTest {
  private static final long DAY = 86_400;
  private static final long NOW = 1_700_000_000_000L;
  private static final long OLD = NOW - 31 * DAY * 1000;
  private static final CellTimestamps DATA = stamps("data");

  private static CellTimestamps stamps(String option) {
    return CellTimestamps.of(
        option, StorageSchema.defaults(), InstantSource.fixed(Instant.ofEpochMilli(NOW)));
  }

  private static TableFacts table(
      String family, long ttl, int minVersions, Compression.Algorithm compression) {
    return new TableFacts(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb"))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                    .setTimeToLive((int) ttl)
                    .setMaxVersions(Math.max(1, minVersions + 1))
                    .setMinVersions(minVersions)
                    .setCompressionType(compression)
                    .build())
            .build(),
        List.of());
  }

  private static TableFacts expiring(int minVersions) {
    return table("t", 30 * DAY, minVersions, Compression.Algorithm.NONE);
  }

  @Test
  void namesAMissingFamily() {
    assertThat(
            table("x", HConstants.FOREVER, 0, Compression.Algorithm.NONE)
                .problems(DATA, OLD, NOW, true))
        .containsExactly("table tsdb must have the column family t");
  }

  @Test
  void namesATtlThatSwallowsTheData() {
    assertThat(expiring(0).problems(DATA, OLD, NOW, false))
        .singleElement()
        .asString()
        .contains("2592000 s", Instant.ofEpochMilli(OLD).toString(), "the oldest point", "data");
    assertThat(expiring(0).problems(stamps(String.valueOf(OLD)), NOW, NOW, false)).hasSize(1);
  }

  @Test
  void acceptsWhatStays() {
    assertThat(expiring(0).problems(stamps("now"), OLD, NOW, true)).isEmpty();
    assertThat(expiring(0).problems(DATA, NOW - 29 * DAY * 1000, NOW, true)).isEmpty();
    assertThat(expiring(1).problems(DATA, OLD, NOW, true)).isEmpty();
    assertThat(
            table("t", HConstants.FOREVER, 0, Compression.Algorithm.NONE)
                .problems(DATA, 0, NOW, true))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "GZ", "SNAPPY", "LZ4", "LZO", "ZSTD"})
  void writesEveryUsualCompression(Compression.Algorithm algorithm) {
    assertThat(table("t", HConstants.FOREVER, 0, algorithm).problems(DATA, OLD, NOW, true))
        .isEmpty();
  }

  @Test
  void namesAFamilyWithEncryption() {
    TableFacts encrypted =
        new TableFacts(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb"))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"))
                        .setEncryptionType("AES")
                        .build())
                .build(),
            List.of());
    assertThat(encrypted.problems(stamps("now"), OLD, NOW, true))
        .containsExactly(
            "table tsdb encrypts its column family t (ENCRYPTION => 'AES'), and HFiles of this"
                + " process would lie there in the clear: use load --mode put");
    assertThat(encrypted.problems(stamps("now"), OLD, NOW, false)).isEmpty();
  }

  @Test
  void namesAReplicatedFamily() {
    TableFacts replicated =
        new TableFacts(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb"))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"))
                        .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
                        .build())
                .build(),
            List.of());
    assertThat(replicated.unreplicated())
        .singleElement()
        .asString()
        .contains("table tsdb", "REPLICATION_SCOPE => 1", "--allow-unreplicated");
    assertThat(expiring(0).unreplicated()).isEmpty();
    assertThat(table("x", HConstants.FOREVER, 0, Compression.Algorithm.NONE).unreplicated())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "HFILE, ASYNC, false, true",
    "PUT, SKIP, false, true",
    "PUT, ASYNC, false, false",
    "PUT, SYNC, false, false",
    "HFILE, ASYNC, true, false",
    "PUT, SKIP, true, false"
  })
  void rowsWithoutALogNeedAnUnreplicatedFamily(
      Mode mode, WalMode wal, boolean allowed, boolean needed) {
    WriteSettings write =
        new WriteSettings(
            mode, wal, 0, "", "now", OnConflict.FAIL, false, allowed, true, false, "");
    assertThat(write.needsUnreplicated()).isEqualTo(needed);
  }

  @Test
  void namesATableThatTakesNoWrites() {
    TableFacts facts =
        new TableFacts(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                .setReadOnly(true)
                .build(),
            List.of());
    for (boolean hfiles : new boolean[] {true, false}) {
      assertThat(facts.problems(DATA, OLD, NOW, hfiles))
          .containsExactly("table tsdb must take writes, found READONLY => 'true'");
    }
  }

  /** The deletes of KEEP_DELETED_CELLS are seen by the look at stored rows, as all others. */
  @Test
  void warnsOfCoprocessorsAlone() throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb"))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"))
                    .setKeepDeletedCells(KeepDeletedCells.TRUE)
                    .build())
            .setDurability(Durability.SKIP_WAL);
    TableFacts without = new TableFacts(table.build(), List.of());
    assertThat(without.problems(DATA, OLD, NOW, true)).isEmpty();
    assertThat(without.warnings()).isEmpty();
    TableFacts with = new TableFacts(table.setCoprocessor("org.Index").build(), List.of());
    assertThat(with.problems(DATA, OLD, NOW, true)).isEmpty();
    assertThat(with.warnings())
        .containsExactly(
            "table tsdb has coprocessors, which see puts and not the cells of HFiles: org.Index;"
                + " use --mode put if they must see the load");
  }

  @Test
  void namesACompressionWithoutACodec() {
    TableFacts xz = table("t", HConstants.FOREVER, 0, Compression.Algorithm.LZMA);
    assertThat(xz.problems(DATA, OLD, NOW, true)).singleElement().asString().contains("LZMA");
    assertThat(xz.problems(DATA, OLD, NOW, false)).isEmpty();
  }
}
