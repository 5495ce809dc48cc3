package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.synthetic.SyntheticNames;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Admin;

/** Empty tables and a TSD on them; {@code close} removes both. */
final class Installation implements AutoCloseable {
  /** Names per request: a TSD accepts request lines up to 4096 bytes. */
  private static final int NAMES_PER_CALL = 200;

  /** Makes the names of TSDs unique. */
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final HBaseServer hbase;
  private final OpenTsdbTables tables;
  private final TsdServer tsd;

  /**
   * @param splits split keys of the data table
   */
  Installation(Stack stack, String kind, List<byte[]> splits) throws IOException {
    String name = kind + COUNT.getAndIncrement();
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

  /** Directory for HFiles, on HBase's file system. */
  String hfileDir() {
    return hbase.rootDir() + "/bench-load";
  }

  /** Makes the TSD assign UIDs to all names of a shape. */
  void assign(SyntheticShape shape) {
    SyntheticNames names = new SyntheticNames(shape);
    tsd.client().get("api/uid/assign?metric=" + shape.metric());
    Set<String> keys = new TreeSet<>();
    Set<String> values = new TreeSet<>();
    for (int series = 0; series < shape.series(); series++) {
      List<String> tags = names.tags(series);
      for (int i = 0; i < tags.size(); i += 2) {
        keys.add(tags.get(i));
        values.add(tags.get(i + 1));
      }
    }
    tsd.client().get("api/uid/assign?tagk=" + String.join(",", keys));
    List<String> all = List.copyOf(values);
    for (int from = 0; from < all.size(); from += NAMES_PER_CALL) {
      List<String> some = all.subList(from, Math.min(all.size(), from + NAMES_PER_CALL));
      tsd.client().get("api/uid/assign?tagv=" + String.join(",", some));
    }
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
