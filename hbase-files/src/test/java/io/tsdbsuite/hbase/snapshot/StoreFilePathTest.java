package io.tsdbsuite.hbase.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreFilePathTest {
  private static final String FILE = "5be2c7a1b2c3d4e5f60718293a4b5c6d";
  private static final String REGION = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

  @Test
  void aFileKeepsItsNameWhateverPointsToIt() {
    assertThat(StoreFilePath.hfile(FILE)).isEqualTo(FILE);
    assertThat(StoreFilePath.hfile(FILE + "." + REGION)).isEqualTo(FILE);
    String link = "my.ops=tsdb-raw.v2=" + REGION + "-" + FILE;
    assertThat(StoreFilePath.hfile(link)).isEqualTo(FILE);
    assertThat(StoreFilePath.hfile(link + "." + REGION)).isEqualTo(FILE);
    String loaded = FILE + "_SeqId_12_";
    assertThat(StoreFilePath.hfile("tsdb=" + REGION + "-" + loaded + "." + REGION))
        .isEqualTo(loaded);
    assertThat(StoreFilePath.isBulkLoaded(loaded)).isTrue();
    assertThat(StoreFilePath.isBulkLoaded(FILE)).isFalse();
  }
}
