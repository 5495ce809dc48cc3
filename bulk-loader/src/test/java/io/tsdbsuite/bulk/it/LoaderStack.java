package io.tsdbsuite.bulk.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** One HBase for every integration test of commands; each test has its own tables. */
final class LoaderStack {
  private LoaderStack() {}

  private static final class Holder {
    private static final Stack STACK = start();

    private static Stack start() {
      try {
        Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
        return Stack.in(Files.createTempDirectory(parent, "stack-")).hbase().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static HBaseServer hbase() {
    return Holder.STACK.hbase();
  }

  /** Keys for tables of a test's own, and others in turn. */
  static Map<String, String> conf(String test, String... keysAndValues) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.storage.hbase.data_table", test + "-tsdb");
    conf.put("tsd.storage.hbase.uid_table", test + "-uid");
    conf.put("tsd.storage.hbase.tree_table", test + "-tree");
    conf.put("tsd.storage.hbase.meta_table", test + "-meta");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  /** A TSD on tables that are made for it, the data table in regions. */
  static TsdServer tsd(String name, Map<String, String> conf, List<byte[]> splits) {
    try {
      Holder.STACK.create(OpenTsdbTables.of(conf).splits(splits));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tsd(name, conf);
  }

  /** A table that keeps the versions of its cells. */
  static void createTable(String table, String family) throws IOException {
    try (Admin admin = hbase().connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                      .setMaxVersions(9)
                      .build())
              .build());
    }
  }

  /** Files of each region of a table. */
  static List<Integer> storeFiles(String table) {
    List<Integer> files = new ArrayList<>();
    try (Admin admin = hbase().connection().getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, TableName.valueOf(table))) {
          files.add(region.getStoreFileCount());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /** A TSD on tables that are made for it. */
  static TsdServer tsd(String name, Map<String, String> conf) {
    return Holder.STACK.startTsd(name, conf);
  }

  /** An opentsdb.conf for tables that are made for it, without a TSD. */
  static Path configFile(String test, Map<String, String> conf) {
    try {
      Holder.STACK.create(OpenTsdbTables.of(conf));
      StringBuilder text = new StringBuilder();
      text.append("tsd.storage.hbase.zk_quorum = ").append(hbase().zkQuorum()).append('\n');
      conf.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
      Path file = WorkDirs.fresh(test + "-conf").resolve("opentsdb.conf");
      return Files.writeString(file, text, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A directory of a load's own on HBase's file system. */
  static String hfileDir(Path work) {
    return hbase().rootDir() + "/load/" + work.getParent().getFileName() + "-" + work.getFileName();
  }
}
