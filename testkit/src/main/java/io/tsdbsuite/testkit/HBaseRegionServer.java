package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A region server of an {@link HBaseCluster} or beside an {@link HBaseServer}, in its own JVM. */
public final class HBaseRegionServer extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  private final String name;
  private final Path dir;
  private final ServerKind kind;
  private final Map<String, String> conf;
  private final int zkPort;

  /**
   * A region server that is not started yet.
   *
   * @param name names it in messages, and its log
   * @param dir all of its files
   * @param kind its JVM
   * @param conf overrides of hbase-site
   * @param zkPort ZooKeeper's port
   */
  HBaseRegionServer(String name, Path dir, ServerKind kind, Map<String, String> conf, int zkPort) {
    this.name = name;
    this.dir = dir;
    this.kind = kind;
    this.conf = Map.copyOf(conf);
    this.zkPort = zkPort;
  }

  @Override
  ServerProcess launch() {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("role", "regionserver");
    arguments.put("dir", dir.toString());
    arguments.put("rootDir", conf.getOrDefault("hbase.rootdir", ""));
    arguments.put("zkPort", Integer.toString(zkPort));
    conf.forEach((key, value) -> arguments.put("conf." + key, value));
    return ServerProcess.start(kind, name, dir, List.of(), arguments, START);
  }

  /**
   * Its name.
   *
   * @return {@code regionserver-0} and so on
   */
  public String name() {
    return name;
  }
}
