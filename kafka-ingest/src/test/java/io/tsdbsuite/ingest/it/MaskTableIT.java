package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.ingest.mask.MaskTable;
import io.tsdbsuite.testkit.OpenTsdbTables;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.hbase.async.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

/** Whether there is a coverage table, in a real HBase. */
class MaskTableIT {
  private static final String TABLE = "looked-for-coverage";
  private static final long TIMEOUT = IngestStack.PATIENCE.toMillis();

  @Test
  void onlyATableWithoutRegionsIsMissing() throws Exception {
    Config config = new Config();
    config.overrideConfig("hbase.zookeeper.quorum", IngestStack.get().hbase().zkQuorum());
    config.overrideConfig("hbase.client.retries.number", "2");
    HBaseClient client = new HBaseClient(config);
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      assertThat(new MaskTable(client, TABLE).exists().join(TIMEOUT)).isFalse();
      OpenTsdbTables.of(Map.of("tsd.storage.hbase.data_table", "looked-for-none"))
          .coverage(TABLE)
          .create(admin);
      assertThat(new MaskTable(client, TABLE).exists().join(TIMEOUT)).isTrue();
      admin.disableTable(TableName.valueOf(TABLE));
      // As a TSD that starts now.
      MaskTable unseen = new MaskTable(client, "default:" + TABLE);
      assertThatThrownBy(() -> unseen.exists().join(TIMEOUT)).isNotNull();
      admin.enableTable(TableName.valueOf(TABLE));
      assertThat(unseen.exists().join(TIMEOUT)).isTrue();
    } finally {
      Object unused = client.shutdown().join(TIMEOUT);
    }
  }
}
