package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * HDFS and YARN on loopback: NameNode, DataNode and ResourceManager in one JVM, and NodeManagers in
 * a JVM each.
 *
 * <pre>{@code
 * try (HadoopCluster hadoop = HadoopCluster.in(dir).nodes(2).start()) {
 *   hadoop.fileSystem().mkdirs(new Path("/exports"));
 *   // spark-submit --master yarn with HADOOP_CONF_DIR=hadoop.confDir()
 *   hadoop.node(0).kill();
 * }
 * }</pre>
 *
 * <p>Containers run as the user of the test. All files are in the given directory, and the
 * processes end with the JVM that started them, even if it is killed.
 */
public final class HadoopCluster implements AutoCloseable {
  /** Memory of a node for containers, MiB. */
  private static final int NODE_MEMORY = 3072;

  /** The size and the configuration of a cluster. */
  public static final class Builder {
    private final Path dir;
    private int nodes = 1;
    private @Nullable Kdc kdc;
    private final Map<String, String> conf = new LinkedHashMap<>();

    private Builder(Path dir) {
      this.dir = dir.toAbsolutePath();
    }

    /**
     * The number of NodeManagers; the default is 1. With 0 there is only HDFS to use.
     *
     * @param number at least 0
     * @return this
     */
    public Builder nodes(int number) {
      nodes = number;
      return this;
    }

    /**
     * Secures the cluster.
     *
     * @param server its keytab {@code hadoop} has {@code hadoop/localhost} and {@code
     *     HTTP/localhost}
     * @return this
     */
    public Builder kerberos(Kdc server) {
      kdc = server;
      return this;
    }

    /**
     * Keys of core-site.xml, hdfs-site.xml or yarn-site.xml that replace the testkit's defaults.
     *
     * @param overrides the keys and values
     * @return this
     */
    public Builder conf(Map<String, String> overrides) {
      conf.putAll(overrides);
      return this;
    }

    /**
     * Starts the cluster.
     *
     * @return the cluster, with HDFS out of safe mode
     * @throws ServerException with the end of the log of the server that does not start
     */
    public HadoopCluster start() {
      HadoopCluster cluster = new HadoopCluster(this);
      try {
        cluster.start();
      } catch (RuntimeException e) {
        cluster.close();
        throw e;
      }
      return cluster;
    }
  }

  private final Path dir;
  private final Path confDir;
  private final String uri;
  private final Map<String, String> site = new LinkedHashMap<>();
  private final HadoopServer master;
  private final List<HadoopServer> nodes = new ArrayList<>();

  private HadoopCluster(Builder builder) {
    dir = builder.dir;
    confDir = dir.resolve("conf");
    uri = "hdfs://localhost:" + FreePorts.next();
    site.putAll(defaults());
    ServerKind kind =
        ServerKind.HADOOP.environment(Map.of("JAVA_HOME", System.getProperty("java.home")));
    if (builder.kdc != null) {
      site.putAll(kerberos(builder.kdc));
      kind = kind.with(builder.kdc.jvmFlags());
    }
    site.putAll(builder.conf);
    writeConf();
    master =
        new HadoopServer(
            "hadoop", dir, kind, confDir, Map.of("role", "master", "conf", confDir.toString()));
    for (int i = 0; i < builder.nodes; i++) {
      String name = "node-" + i;
      nodes.add(new HadoopServer(name, dir.resolve(name), kind, confDir, nodeArguments(name)));
    }
  }

  /**
   * A cluster of one node, not started yet.
   *
   * @param dir all of its files
   * @return the builder
   */
  public static Builder in(Path dir) {
    return new Builder(dir);
  }

  private Map<String, String> defaults() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("fs.defaultFS", uri);
    conf.put("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.put("dfs.namenode.name.dir", dir.resolve("name").toString());
    conf.put("dfs.datanode.data.dir", dir.resolve("data").toString());
    conf.put("dfs.namenode.http-address", address());
    for (String daemon : List.of("address", "http.address", "ipc.address")) {
      conf.put("dfs.datanode." + daemon, address());
    }
    conf.put("dfs.replication", "1");
    conf.put("dfs.heartbeat.interval", "1");
    conf.put("dfs.namenode.safemode.extension", "0");
    conf.put("dfs.client.block.write.replace-datanode-on-failure.enable", "false");
    conf.put("yarn.resourcemanager.hostname", "localhost");
    for (String part : List.of("", "scheduler.", "resource-tracker.", "admin.", "webapp.")) {
      conf.put("yarn.resourcemanager." + part + "address", address());
    }
    conf.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
    conf.put("yarn.nm.liveness-monitor.expiry-interval-ms", "10000");
    conf.put("yarn.scheduler.minimum-allocation-mb", "128");
    conf.put("yarn.scheduler.maximum-allocation-mb", Integer.toString(NODE_MEMORY));
    conf.put("yarn.scheduler.capacity.root.queues", "default");
    conf.put("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    // Nodes are told apart by their ports: all have one name.
    conf.put("yarn.scheduler.include-port-in-node-name", "true");
    conf.put("yarn.nodemanager.resource.memory-mb", Integer.toString(NODE_MEMORY));
    conf.put("yarn.nodemanager.resource.cpu-vcores", "8");
    conf.put("yarn.nodemanager.vmem-check-enabled", "false");
    conf.put("yarn.nodemanager.pmem-check-enabled", "false");
    // A disk that is nearly full is the machine's matter.
    conf.put("yarn.nodemanager.disk-health-checker.enable", "false");
    return conf;
  }

  private static String address() {
    return "localhost:" + FreePorts.next();
  }

  private static Map<String, String> kerberos(Kdc kdc) {
    Map<String, String> conf = new LinkedHashMap<>();
    String keytab = kdc.keytab("hadoop").toString();
    String principal = "hadoop/localhost@" + Kdc.REALM;
    conf.put("hadoop.security.authentication", "kerberos");
    conf.put("hadoop.security.authorization", "true");
    // A service logs in again when four fifths of its ticket are over, but not earlier than this.
    conf.put("hadoop.kerberos.min.seconds.before.relogin", "5");
    // The users of the tests are no users of the machine.
    conf.put(
        "hadoop.user.group.static.mapping.overrides",
        "hadoop=hadoop;hbase=hbase;tsdb=tsdb;tsd=tsd;guest=guest");
    conf.put("dfs.block.access.token.enable", "true");
    conf.put("dfs.data.transfer.protection", "authentication");
    // Otherwise a DataNode demands ports below 1024, or HTTPS.
    conf.put("ignore.secure.ports.for.testing", "true");
    conf.put("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + Kdc.REALM);
    conf.put("dfs.web.authentication.kerberos.keytab", keytab);
    for (String daemon : List.of("namenode", "datanode")) {
      conf.put("dfs." + daemon + ".kerberos.principal", principal);
      conf.put("dfs." + daemon + ".keytab.file", keytab);
    }
    for (String daemon : List.of("resourcemanager", "nodemanager")) {
      conf.put("yarn." + daemon + ".principal", principal);
      conf.put("yarn." + daemon + ".keytab", keytab);
    }
    return conf;
  }

  private Map<String, String> nodeArguments(String name) {
    Path node = dir.resolve(name);
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("role", "node");
    arguments.put("conf", confDir.toString());
    arguments.put("conf.yarn.nodemanager.hostname", "localhost");
    for (String part : List.of("", "localizer.", "webapp.", "collector-service.")) {
      arguments.put("conf.yarn.nodemanager." + part + "address", address());
    }
    arguments.put("conf.yarn.nodemanager.local-dirs", node.resolve("local").toString());
    arguments.put("conf.yarn.nodemanager.log-dirs", node.resolve("logs").toString());
    return arguments;
  }

  /** All three files have all keys: Hadoop reads each key from where it is. */
  private void writeConf() {
    for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      writeSite(confDir.resolve(file), site);
    }
  }

  /**
   * Writes one more file of configuration into the clients' directory, for example hbase-site.xml.
   *
   * @param file its name
   * @param settings the keys and values
   */
  public void writeSite(String file, Map<String, String> settings) {
    writeSite(confDir.resolve(file), settings);
  }

  private static void writeSite(Path file, Map<String, String> settings) {
    Configuration conf = new Configuration(false);
    settings.forEach(conf::set);
    try {
      Files.createDirectories(file.getParent());
      try (var out = Files.newOutputStream(file)) {
        conf.writeXml(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start() {
    List<ParallelStart.Start> starts = new ArrayList<>();
    starts.add(master::start);
    nodes.forEach(node -> starts.add(node::start));
    ParallelStart.run(starts);
  }

  /**
   * The clients' configuration.
   *
   * @return HADOOP_CONF_DIR: core-site.xml, hdfs-site.xml, yarn-site.xml
   */
  public Path confDir() {
    return confDir;
  }

  /**
   * Hadoop's own libraries, as {@code hadoop classpath} prints them, without the configuration.
   *
   * @return a class path
   * @throws IOException when Maven has not written it
   */
  public String clientClassPath() throws IOException {
    return ServerKind.libraries("testkit-server-hadoop");
  }

  /**
   * The address of HDFS.
   *
   * @return {@code hdfs://localhost:PORT}
   */
  public String uri() {
    return uri;
  }

  /**
   * The clients' configuration as keys.
   *
   * @return a new copy
   */
  public Map<String, String> clientSite() {
    return new LinkedHashMap<>(site);
  }

  /**
   * A client's configuration.
   *
   * @return a new copy
   */
  public Configuration clientConfiguration() {
    Configuration client = new Configuration();
    site.forEach(client::set);
    return client;
  }

  /**
   * A client of HDFS, of the user of this JVM.
   *
   * @return a new one, to close
   * @throws IOException when it cannot be made
   */
  public FileSystem fileSystem() throws IOException {
    return FileSystem.newInstance(java.net.URI.create(uri), clientConfiguration());
  }

  /**
   * The JVM of NameNode, DataNode and ResourceManager.
   *
   * @return the server
   */
  public HadoopServer master() {
    return master;
  }

  /**
   * A NodeManager.
   *
   * @param index from 0
   * @return the server
   */
  public HadoopServer node(int index) {
    return nodes.get(index);
  }

  /**
   * The number of NodeManagers, killed ones too.
   *
   * @return at least 0
   */
  public int nodes() {
    return nodes.size();
  }

  /**
   * The logs of an application's containers, standard output and standard error of all of them.
   *
   * @param application its id
   * @return each file's content under its path, the files of all nodes
   * @throws IOException when a file cannot be read
   */
  public String logs(String application) throws IOException {
    StringBuilder text = new StringBuilder();
    for (HadoopServer node : nodes) {
      Path logs = dir.resolve(node.name()).resolve("logs").resolve(application);
      if (!Files.isDirectory(logs)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(logs)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().collect(Collectors.toList())) {
          text.append("==> ").append(dir.relativize(file)).append(System.lineSeparator());
          text.append(Files.readString(file, StandardCharsets.UTF_8));
        }
      }
    }
    return text.toString();
  }

  /** Stops all servers; kills nodes that do not stop. */
  @Override
  public void close() {
    for (HadoopServer node : nodes) {
      if (node.isStarted() && node.isAlive()) {
        node.kill();
      }
    }
    if (master.isStarted()) {
      master.close();
    }
  }
}
