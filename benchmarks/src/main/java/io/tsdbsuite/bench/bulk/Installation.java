package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;

/** Empty tables and a TSD on them; both are gone when it is closed. */
final class Installation implements AutoCloseable {
  private final HBaseServer hbase;
  private final OpenTsdbTables tables;
  private final TsdServer tsd;

  /**
   * @param splits of the data table
   */
  Installation(Stack stack, String name, List<byte[]> splits) throws IOException {
    Map<String, String> conf =
        Map.of(
            "tsd.storage.hbase.data_table", name + "-tsdb",
            "tsd.storage.hbase.uid_table", name + "-uid",
            "tsd.storage.hbase.tree_table", name + "-tree",
            "tsd.storage.hbase.meta_table", name + "-meta");
    hbase = stack.hbase();
    tables = OpenTsdbTables.of(conf).splits(splits);
    stack.create(tables);
    tsd = stack.startTsd(name, conf);
  }

  TsdServer tsd() {
    return tsd;
  }

  long hbasePid() {
    return hbase.pid();
  }

  /** For HFiles, on HBase's own file system. */
  String hfileDir() {
    return hbase.rootDir() + "/bench-load";
  }

  @Override
  public void close() {
    tsd.stop();
    try (Admin admin = hbase.connection().getAdmin()) {
      tables.drop(admin);
    } catch (IOException e) {
      throw new IllegalStateException("the tables of " + tsd.name() + " were not dropped", e);
    }
  }
}
