package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class LoadTargetCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-25T00:00:00Z");

  private final ColumnFamilyDescriptorBuilder family =
      ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"));

  private boolean readOnly;

  private List<String> problems(boolean allowUnreplicated) {
    return LoadCheck.target(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("tsdb-rollup-1h"))
            .setReadOnly(readOnly)
            .setColumnFamily(family.build())
            .build(),
        NOW.minusSeconds(3600).toEpochMilli(),
        NOW,
        allowUnreplicated);
  }

  @Test
  void aTableWithoutAttributes() {
    assertThat(problems(false)).isEmpty();
    family.setTimeToLive(3601);
    assertThat(problems(false)).isEmpty();
  }

  @Test
  void peersOfAReplicatedTableMayLackTheCells() {
    family.setScope(HConstants.REPLICATION_SCOPE_GLOBAL);
    assertThat(problems(false))
        .singleElement()
        .asString()
        .contains(
            "tsdb-rollup-1h",
            "REPLICATION_SCOPE => 1",
            "hbase.replication.bulkload.enabled",
            "--allow-unreplicated");
    assertThat(problems(true)).isEmpty();
  }

  @Test
  void cellsThatWouldBeGoneAtOnceAndATableThatTakesNone() {
    family.setTimeToLive(3600);
    readOnly = true;
    assertThat(problems(true))
        .hasSize(2)
        .anySatisfy(problem -> assertThat(problem).contains("READONLY"))
        .anySatisfy(problem -> assertThat(problem).contains("3600 s", "(TTL)", "--as-of now"));
    family.setMinVersions(1);
    assertThat(problems(true)).hasSize(1);
  }
}
