package io.tsdbsuite.trigger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreFilePathTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String PARENT = "fedcba9876543210fedcba9876543210";

  @ParameterizedTest
  @CsvSource({
    "aa01, default/tsdb, REGION/t/aa01",
    "aa01_SeqId_17_, default/tsdb, REGION/t/aa01_SeqId_17_",
    "aa01.PARENT, default/tsdb, PARENT/t/aa01",
    "aa01_SeqId_17_.PARENT, default/tsdb, PARENT/t/aa01_SeqId_17_",
    "other=PARENT-aa01, default/other, PARENT/t/aa01",
    "ns=other=PARENT-aa01, ns/other, PARENT/t/aa01",
    "other=PARENT-aa01.REGION, default/other, PARENT/t/aa01",
    "ns=o.t-h_er=PARENT-aa01_SeqId_1_.REGION, ns/o.t-h_er, PARENT/t/aa01_SeqId_1_",
  })
  void names(String name, String table, String path) {
    assertThat(StoreFilePath.of("default/tsdb", REGION, "t", full(name)))
        .isEqualTo(new StoreFilePath(table, full(path)));
  }

  private static String full(String text) {
    return text.replace("REGION", REGION).replace("PARENT", PARENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tsdb-uid", "ns:tsdb.v2"})
  void linksAreNamedAsHBaseNamesThem(String table) {
    TableName name = TableName.valueOf(table);
    assertThat(
            StoreFilePath.of(
                "default/clone", REGION, "t", HFileLink.createHFileLinkName(name, PARENT, "aa01")))
        .isEqualTo(
            new StoreFilePath(
                name.getNamespaceAsString() + "/" + name.getQualifierAsString(),
                PARENT + "/t/aa01"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "region-manifest.1", "AA01", "a/b", "x=y", "aa01.", "=aa-bb"})
  void anythingElse(String name) {
    assertThatThrownBy(() -> StoreFilePath.of("default/tsdb", REGION, "t", name))
        .hasMessage("'" + name + "' is neither an HFile nor a link nor a reference");
  }
}
