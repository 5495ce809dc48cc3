package io.tsdbsuite.hbase.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreFileNamesTest {
  private static final String FILE = "5be2c7a1b2c3d4e5f60718293a4b5c6d";
  private static final String REGION = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

  @Test
  void aFileKeepsItsNameWhateverPointsToIt() {
    assertThat(StoreFileNames.hfile(FILE)).isEqualTo(FILE);
    assertThat(StoreFileNames.hfile(FILE + "." + REGION)).isEqualTo(FILE);
    String link = "my.ops=tsdb-raw.v2=" + REGION + "-" + FILE;
    assertThat(StoreFileNames.hfile(link)).isEqualTo(FILE);
    assertThat(StoreFileNames.hfile(link + "." + REGION)).isEqualTo(FILE);
    String loaded = FILE + "_SeqId_12_";
    assertThat(StoreFileNames.hfile("tsdb=" + REGION + "-" + loaded + "." + REGION))
        .isEqualTo(loaded);
    assertThat(StoreFileNames.isBulkLoaded(loaded)).isTrue();
    assertThat(StoreFileNames.isBulkLoaded(FILE)).isFalse();
  }
}
