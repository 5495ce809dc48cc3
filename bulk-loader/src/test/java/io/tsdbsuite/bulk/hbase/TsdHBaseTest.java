package io.tsdbsuite.bulk.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.junit.jupiter.api.Test;

class TsdHBaseTest {
  private static final HBaseAddress ADDRESS =
      HBaseAddress.from(
          TsdConfig.parse(
              "tsd.storage.hbase.zk_quorum=zk1,zk2:2182/prod\ntsd.storage.hbase.zk_basedir=/h"));

  @Test
  void clientsGoWhereTheTsdGoes() {
    Configuration configuration = TsdHBase.configuration(new Configuration(), ADDRESS, Map.of());

    assertThat(ZKConfig.getZKQuorumServersString(configuration)).isEqualTo("zk1:2181,zk2:2182");
    assertThat(configuration.get("zookeeper.znode.parent")).isEqualTo("/prod/h");
    assertThat(configuration.getInt("hbase.client.operation.timeout", 0)).isEqualTo(120_000);
  }

  @Test
  void whoAsksZooKeeperIsAsPatientAsWhoPuts() {
    Configuration configuration = TsdHBase.configuration(new Configuration(), ADDRESS, Map.of());

    assertThat(configuration.getInt("zookeeper.registry.async.get.timeout", 0))
        .isEqualTo(configuration.getInt("hbase.client.operation.timeout", 0));
  }

  @Test
  void overridesWin() {
    Configuration configuration =
        TsdHBase.configuration(
            new Configuration(),
            ADDRESS,
            Map.of(
                "hbase.zookeeper.property.clientPort", "2999",
                "hbase.client.operation.timeout", "7000"));

    assertThat(ZKConfig.getZKQuorumServersString(configuration)).isEqualTo("zk1:2999,zk2:2182");
    assertThat(configuration.getInt("hbase.client.operation.timeout", 0)).isEqualTo(7000);
  }

  @Test
  void tablesComeWithTheKeysThatNameThem() {
    StorageSchema schema =
        StorageSchema.from(TsdConfig.parse("tsd.storage.hbase.uid_table=ns:uids"));

    assertThat(TsdHBase.tables(schema, false))
        .containsOnly(
            Map.entry("tsd.storage.hbase.data_table", "tsdb"),
            Map.entry("tsd.storage.hbase.uid_table", "ns:uids"));
    assertThat(TsdHBase.tables(schema, true))
        .containsEntry("tsd.storage.hbase.meta_table", "tsdb-meta");
  }

  @Test
  void failuresSayTheInnermostReasonInOneLine() {
    IOException inner = new IOException("the disk is full\n\tat a.b.c");
    Exception batch =
        new RetriesExhaustedWithDetailsException(
            List.of(inner), List.of(new Put(new byte[] {0, 'a'})), List.of("rs1:16020"));

    assertThat(HBaseFailures.outside("table 't' must answer", batch))
        .hasMessage("table 't' must answer, found: row \\x00a: the disk is full")
        .hasCause(batch);
    assertThat(HBaseFailures.reason(new RetriesExhaustedException("tried", inner)))
        .isEqualTo("the disk is full");
    assertThat(HBaseFailures.reason(new IOException((String) null))).isEqualTo("IOException");
  }
}
