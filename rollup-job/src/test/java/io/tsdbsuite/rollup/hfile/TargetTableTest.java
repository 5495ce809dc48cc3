package io.tsdbsuite.rollup.hfile;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.sink.SinkException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class TargetTableTest {
  private static TableLayout table(String encryption) {
    return new TableLayout(
        TableName.valueOf("tsdb-rollup-1h"),
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"))
            .setEncryptionType(encryption)
            .build(),
        0,
        List.of());
  }

  @Test
  void aFamilyWithEncryptionIsRefused() {
    assertThatCode(() -> TargetTable.of("t", table(null))).doesNotThrowAnyException();
    assertThatThrownBy(() -> TargetTable.of("t", table("AES")))
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("tsdb-rollup-1h")
        .hasMessageContaining("ENCRYPTION => 'AES'");
  }
}
