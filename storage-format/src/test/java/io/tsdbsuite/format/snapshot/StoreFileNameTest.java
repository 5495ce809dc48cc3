package io.tsdbsuite.format.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreFileNameTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String PARENT = "fedcba9876543210fedcba9876543210";

  private static String full(String text) {
    return text.replace("REGION", REGION).replace("PARENT", PARENT);
  }

  private static String shown(StoreFileName name) {
    return name.namespace() + "/" + name.qualifier() + "/" + name.region() + "/" + name.hfile();
  }

  @ParameterizedTest
  @CsvSource({
    "aa01, default/tsdb/REGION/aa01",
    "aa01_SeqId_17_, default/tsdb/REGION/aa01_SeqId_17_",
    "aa01_del, default/tsdb/REGION/aa01_del",
    "aa01_REGION, default/tsdb/REGION/aa01_REGION",
    "aa01.PARENT, default/tsdb/PARENT/aa01",
    "aa01_SeqId_17_.PARENT, default/tsdb/PARENT/aa01_SeqId_17_",
    "other=PARENT-aa01, default/other/PARENT/aa01",
    "ns=other=PARENT-aa01, ns/other/PARENT/aa01",
    "other=PARENT-aa01.REGION, default/other/PARENT/aa01",
    "ns=o.t-h_er=PARENT-aa01_SeqId_1_.REGION, ns/o.t-h_er/PARENT/aa01_SeqId_1_",
    // Begins as a reference to HFile cafe does.
    "cafe.tsdb=PARENT-aa01, default/cafe.tsdb/PARENT/aa01",
    "größe=метрики.v2=PARENT-aa01, größe/метрики.v2/PARENT/aa01",
  })
  void names(String name, String found) {
    assertThat(shown(StoreFileName.of("default", "tsdb", REGION, full(name))))
        .isEqualTo(full(found));
    assertThat(shown(StoreFileName.of("", "tsdb", REGION, full(name)))).isEqualTo(full(found));
    assertThat(StoreFileName.of("", "tsdb", REGION, full(name)).isLink())
        .isEqualTo(name.contains("="));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "region-manifest.1", "AA01", "a/b", "x=y", "aa01.", "aa01.bb", "=aa-bb"})
  void anythingElse(String name) {
    assertThatThrownBy(() -> StoreFileName.of("default", "tsdb", REGION, name))
        .hasMessage("'" + name + "' is neither an HFile nor a link nor a reference");
    assertThat(StoreFileName.isHFile(name)).isFalse();
    assertThat(StoreFileName.isReference(name)).isFalse();
  }

  @Test
  void filesAndReferences() {
    assertThat(StoreFileName.isHFile("aa01_SeqId_17_")).isTrue();
    assertThat(StoreFileName.isHFile("aa01." + PARENT)).isFalse();
    assertThat(StoreFileName.isReference("aa01." + PARENT)).isTrue();
    assertThat(StoreFileName.isReference("other=" + REGION + "-aa01." + PARENT)).isTrue();
    assertThat(StoreFileName.isReference("other=" + REGION + "-aa01")).isFalse();
  }
}
