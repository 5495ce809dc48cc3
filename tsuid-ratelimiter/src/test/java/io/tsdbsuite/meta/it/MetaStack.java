package io.tsdbsuite.meta.it;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** One HBase for every integration test of the module; each test has its own tables. */
final class MetaStack {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private MetaStack() {}

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

  static Stack get() {
    return Holder.STACK;
  }

  static HBaseServer hbase() {
    return get().hbase();
  }

  /** The jar that users install. */
  static Path jar() {
    return Path.of(System.getProperty("meta.jar"));
  }

  /** Tables of a test's own, UIDs and meta included. */
  static Map<String, String> tables(String test) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.storage.hbase.data_table", test + "-tsdb");
    conf.put("tsd.storage.hbase.uid_table", test + "-uid");
    conf.put("tsd.storage.hbase.tree_table", test + "-tree");
    conf.put("tsd.storage.hbase.meta_table", test + "-meta");
    conf.put("tsd.core.meta.enable_tsuid_tracking", "true");
    return conf;
  }

  /** The same with the plugin, and keys of its own, without their prefix, and values, by turns. */
  static Map<String, String> plugin(String test, String... keysAndValues) {
    Map<String, String> conf = tables(test);
    conf.put("tsd.core.meta.cache.enable", "true");
    conf.put("tsd.core.meta.cache.plugin", "io.tsdbsuite.meta.TsuidRateLimiter");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put("tsd.meta.cache." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  static TsdServer tsd(String name, Map<String, String> conf) {
    return get().startTsd(name, conf, List.of(jar()));
  }

  static void create(Map<String, String> conf) throws IOException {
    get().create(OpenTsdbTables.of(conf));
  }

  /** Takes a table away from the TSDs; they are refused until it is enabled again. */
  static void disable(String table) throws IOException {
    try (Admin admin = hbase().connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
    }
  }

  static void enable(String table) throws IOException {
    try (Admin admin = hbase().connection().getAdmin()) {
      admin.enableTable(TableName.valueOf(table));
    }
  }

  /** A statistic of the plugin. */
  static long stat(TsdServer tsd, String name) {
    return Long.parseLong(tsd.client().stats().get("tsd.meta.cache." + name + " plugin=metaCache"));
  }

  static void awaitStat(TsdServer tsd, String name, long value) {
    Await.until(
        tsd.name() + ": " + name + " to be " + value, PATIENCE, () -> stat(tsd, name) == value);
  }
}
