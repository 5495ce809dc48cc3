package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Which tables nothing can be deleted of. */
class SnapshotRulesTest {
  private final ColumnFamilyDescriptorBuilder family =
      ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"));

  private List<String> unloadable() throws Exception {
    Configuration conf = new Configuration(false);
    return SnapshotRules.unloadable(
        new Snapshot(
            "r", "tsdb-1h", 0, true, conf, FileSystem.getLocal(conf), family.build(), List.of()));
  }

  /** Apply would refuse its proofs each night. */
  @Test
  void rollupTablesThatApplyCannotTakeAreNotProven() throws Exception {
    assertThat(unloadable()).isEmpty();
    family
        .setScope(1)
        .setMobEnabled(true)
        .setEncryptionType("AES")
        .setCompressionType(Compression.Algorithm.LZMA);
    assertThat(unloadable())
        .containsExactly(
            "table tsdb-1h must have REPLICATION_SCOPE 0, because cells of another cluster come"
                + " late with their old timestamps, found 1",
            "table tsdb-1h compresses with LZMA, which this process cannot write",
            "table tsdb-1h keeps large cells apart (MOB), which this process cannot do",
            "table tsdb-1h encrypts its column family t (ENCRYPTION => 'AES'), and HFiles of this"
                + " process would lie there in the clear");
  }
}
