package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.sink.SinkException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/** Queries the destination HBase for its rollup tables. */
public final class LiveTargets implements TargetSource {
  private final Configuration hbase;

  /** Null before the first answer. */
  private @Nullable String cluster;

  /**
   * @param hbase client configuration; its retry settings are replaced by short ones
   */
  public LiveTargets(Configuration hbase) {
    this.hbase = new Configuration(hbase);
    // With HBase's default, a wrong address would fail only after 20 minutes.
    this.hbase.set("hbase.client.retries.number", "3");
    this.hbase.set("hbase.client.operation.timeout", "20000");
    this.hbase.set("hbase.client.meta.operation.timeout", "20000");
    this.hbase.set("zookeeper.recovery.retry", "2");
  }

  @Override
  public TargetTable table(String name) throws SinkException {
    String unused = cluster();
    try (Connection connection = ConnectionFactory.createConnection(hbase)) {
      TableLayout layout = TableLayout.read(connection, TableName.valueOf(name), RowKey.family());
      return TargetTable.of(name, layout);
    } catch (TableNotFoundException e) {
      throw new SinkException.Fatal(
          "table " + name + " of the rollup configuration must exist, HBase does not have it", e);
    } catch (IOException e) {
      throw failure("table " + name, "did not describe it", e);
    }
  }

  @Override
  public String cluster() {
    String known = cluster == null ? HBaseProbe.clusterId(hbase) : cluster;
    cluster = known;
    return known;
  }

  private SinkException failure(String what, String failed, IOException e) {
    String message =
        "%s: HBase by ZooKeeper %s %s: "
            .formatted(what, hbase.get(HConstants.ZOOKEEPER_QUORUM), failed);
    String access = AccessFailures.reason(e);
    return access == null
        ? new SinkException.Retryable(message + StorageFailures.reason(e), e)
        : new SinkException.Fatal(message + access, e);
  }
}
