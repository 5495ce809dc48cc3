package io.tsdbsuite.format.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseAddressTest {
  private static HBaseAddress address(String quorum, String basedir) {
    return HBaseAddress.from(
        TsdConfig.parse("")
            .with("tsd.storage.hbase.zk_quorum", quorum)
            .with("tsd.storage.hbase.zk_basedir", basedir));
  }

  @Test
  void defaultsAreTheTsds() {
    HBaseAddress address = HBaseAddress.from(TsdConfig.parse(""));

    assertThat(address.quorum()).isEqualTo("localhost");
    assertThat(address.znodeParent()).isEqualTo("/hbase");
    assertThat(address.hbaseProperties())
        .containsEntry("hbase.zookeeper.quorum", "localhost")
        .containsEntry("hbase.zookeeper.property.clientPort", "2181")
        .containsEntry("zookeeper.znode.parent", "/hbase")
        .hasSize(3);
    assertThat(address).hasToString("localhost, znode /hbase");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zk1                 | zk1           | /hbase",
        "zk1,zk2:2182        | zk1,zk2:2182  | /hbase",
        "'zk1:2181 , zk2 '   | zk1:2181,zk2  | /hbase",
        "[::1]:2181,[::2]    | [::1]:2181,[::2] | /hbase",
        "zk1:2181,zk2/prod   | zk1:2181,zk2  | /prod/hbase",
      })
  void everyServerKeepsItsPort(String given, String quorum, String parent) {
    HBaseAddress address = address(given, "/hbase");

    assertThat(address.quorum()).isEqualTo(quorum);
    assertThat(address.znodeParent()).isEqualTo(parent);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ",", "zk1,", "zk1,,zk2", ":2181", "::1", "zk1:", "zk1:0", "zk1:65536"})
  void badServersAreNamed(String quorum) {
    SchemaException e =
        catchThrowableOfType(SchemaException.class, () -> address(quorum, "/hbase"));

    assertThat(e.problems()).isNotEmpty();
    assertThat(e.problems())
        .allSatisfy(
            problem ->
                assertThat(problem).startsWith("tsd.storage.hbase.zk_quorum: ").contains("'"));
  }

  @Test
  void allProblemsComeAtOnce() {
    SchemaException e =
        catchThrowableOfType(SchemaException.class, () -> address("zk1:x,/", "hbase/"));

    assertThat(e.problems())
        .containsExactly(
            "tsd.storage.hbase.zk_quorum: a path must begin with / and not end with it, found '/'",
            "tsd.storage.hbase.zk_quorum: a port must be from 1 to 65535, found 'zk1:x'",
            "tsd.storage.hbase.zk_quorum: must be a comma-separated list of host or host:port,"
                + " found ''",
            "tsd.storage.hbase.zk_basedir: a path must begin with / and not end with it, found"
                + " 'hbase/'");
  }
}
