package io.tsdbsuite.hbase.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.RegionRanges;
import io.tsdbsuite.format.snapshot.StoreFileName;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase's own classes are the judge of the rules that storage-format has without them. */
class StoreFileRulesTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String PARENT = "fedcba9876543210fedcba9876543210";
  private static final List<String> HFILES = List.of("aa01", "aa01_SeqId_17_", "aa01_del", PARENT);

  @Test
  void hfiles() {
    for (String hfile : HFILES) {
      assertThat(StoreFileInfo.isHFile(hfile)).as(hfile).isTrue();
      assertThat(StoreFileName.isHFile(hfile)).as(hfile).isTrue();
    }
    for (String other : List.of("", "AA01", "aa01.", "aa01_SeqId_", "a b", "aa01." + PARENT)) {
      assertThat(StoreFileInfo.isHFile(other)).as(other).isFalse();
      assertThat(StoreFileName.isHFile(other)).as(other).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tsdb", "ns:tsdb.v2", "my_ops:tsdb-raw", "cafe.tsdb", "größe:метрики", "_a:_b"})
  void linksAndReferences(String table) {
    TableName owner = TableName.valueOf(table);
    for (String hfile : HFILES) {
      String link = HFileLink.createHFileLinkName(owner, PARENT, hfile);
      StoreFilePath path = StoreFilePath.of(TableName.valueOf("clone"), REGION, "t", link);
      assertThat(path.table()).isEqualTo(HFileLink.getReferencedTableName(link)).isEqualTo(owner);
      assertThat(path.region()).isEqualTo(HFileLink.getReferencedRegionName(link));
      assertThat(path.file()).isEqualTo(HFileLink.getReferencedHFileName(link));
      assertThat(StoreFileName.isReference(link)).isFalse();
      String half = link + "." + REGION;
      assertThat(StoreFileInfo.isReference(half)).isTrue();
      assertThat(StoreFileName.isReference(half)).isTrue();
      assertThat(StoreFilePath.of(TableName.valueOf("clone"), REGION, "t", half)).isEqualTo(path);
      String reference = hfile + "." + PARENT;
      assertThat(StoreFileName.isReference(reference))
          .isEqualTo(StoreFileInfo.isReference(reference));
      assertThat(StoreFilePath.of(owner, REGION, "t", reference))
          .isEqualTo(new StoreFilePath(owner, PARENT, "t", hfile));
    }
  }

  @Test
  void regionsWithRows() {
    TableName table = TableName.valueOf("tsdb");
    RegionInfo mob = MobUtils.getMobRegionInfo(table);
    assertThat(RegionCoverage.isLive(mob)).isFalse();
    RegionInfo begins =
        RegionInfoBuilder.newBuilder(table)
            .setStartKey(mob.getStartKey())
            .setEndKey(Bytes.toBytes("z"))
            .setRegionId(7)
            .build();
    assertThat(RegionCoverage.isLive(begins)).isEqualTo(!MobUtils.isMobRegionInfo(begins)).isTrue();
    byte[][] keys = {{}, {0}, {0, 0}, {1}, {127}, {-128}, {-1}, {-1, 0}};
    for (byte[] a : keys) {
      for (byte[] b : keys) {
        assertThat(Integer.signum(RegionRanges.BY_KEY.compare(a, b)))
            .isEqualTo(Integer.signum(Bytes.compareTo(a, b)));
      }
    }
  }
}
