package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class HBaseVersionTest {
  @Test
  void whatTheJobBringsIsRight() {
    assertThatCode(HBaseVersion::require).doesNotThrowAnyException();
  }

  @Test
  void aPatchOrAnotherBuildMakesNoDifference() {
    assertThat(HBaseVersion.problem("2.6.1", "2.6.4-hadoop3", "x")).isNull();
    assertThat(HBaseVersion.problem("2.6.10-amzn-0", "2.6.4-hadoop3", "x")).isNull();
  }

  @Test
  void anotherMinorVersionIsNamedWithItsPlace() {
    assertThat(HBaseVersion.problem("2.4.17-amzn-6", "2.6.4-hadoop3", "file:/hbase-common.jar"))
        .contains("must be 2.6", "2.6.4-hadoop3", "found 2.4.17-amzn-6 in file:/hbase-common.jar");
    assertThat(HBaseVersion.problem("2.60.0", "2.6.4", "x")).contains("found 2.60.0");
    assertThat(HBaseVersion.problem("Unknown", "2.6.4", "x")).contains("found Unknown");
  }
}
