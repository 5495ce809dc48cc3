package io.tsdbsuite.query.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One HBase for every integration test of the module; each test has its own tables. */
final class QueryStack {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private QueryStack() {}

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

  /** The jar that users install. */
  static Path jar() {
    return Path.of(System.getProperty("query.jar"));
  }

  /** Tables of a test's own, and the plugin with keys of its own and values, by turns. */
  static Map<String, String> conf(String test, String... keysAndValues) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.storage.hbase.data_table", test + "-tsdb");
    conf.put("tsd.storage.hbase.uid_table", test + "-uid");
    conf.put("tsd.storage.hbase.tree_table", test + "-tree");
    conf.put("tsd.storage.hbase.meta_table", test + "-meta");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.query.RollupQueryHttpPlugin");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put("tsd.rollup_query." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  static TsdServer tsd(String name, Map<String, String> conf, Path... before) {
    List<Path> classPath = new ArrayList<>(List.of(before));
    classPath.add(jar());
    return Holder.STACK.startTsd(name, conf, classPath);
  }
}
