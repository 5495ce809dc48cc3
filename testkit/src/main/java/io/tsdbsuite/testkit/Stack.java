package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one test or demo, started in parallel and stopped in the right order.
 *
 * <pre>{@code
 * try (Stack stack = Stack.in(dir).tsd().kafka().s3().start()) {
 *   stack.tsd().client().put(points);
 * }
 * }</pre>
 *
 * <p>All servers listen on loopback, keep their files in the given directory, and end with the JVM
 * that started them, even if it is killed.
 */
public final class Stack implements AutoCloseable {
  private static final String DEFAULT_TSD = "tsd";

  /** Selects the servers to start. */
  public static final class Builder {
    private final Path dir;
    private @Nullable Map<String, String> hbase;
    private List<String> hbaseFlags = List.of();
    private @Nullable Map<String, String> tsd;
    private List<Path> tsdClassPath = List.of();
    private @Nullable OpenTsdbTables tables;
    private @Nullable Map<String, String> kafka;
    private KafkaVersion kafkaVersion = KafkaVersion.V3_9;
    private boolean s3;
    private boolean optimized;

    private Builder(Path dir) {
      this.dir = dir;
    }

    /**
     * Starts HBase.
     *
     * @return this
     */
    public Builder hbase() {
      return hbase(Map.of());
    }

    /**
     * Starts HBase.
     *
     * @param conf overrides of hbase-site
     * @return this
     */
    public Builder hbase(Map<String, String> conf) {
      hbase = Map.copyOf(conf);
      return this;
    }

    /**
     * Starts HBase's JVM with further flags, for example another heap.
     *
     * @param flags flags of its JVM, after the testkit's
     * @return this
     */
    public Builder hbaseFlags(String... flags) {
      hbaseFlags = List.of(flags);
      return this;
    }

    /**
     * Starts a TSD, and HBase with it.
     *
     * @return this
     */
    public Builder tsd() {
      return tsd(Map.of());
    }

    /**
     * Starts a TSD, and HBase with it. Creates the tables of the configuration.
     *
     * @param extraConf added to the defaults of {@link TsdServer#defaults}, or instead of them
     * @return this
     */
    public Builder tsd(Map<String, String> extraConf) {
      return tsd(extraConf, List.of());
    }

    /**
     * Starts a TSD with plugins, and HBase with it.
     *
     * @param extraConf added to the defaults of {@link TsdServer#defaults}, or instead of them
     * @param plugins jars or class directories
     * @return this
     */
    public Builder tsd(Map<String, String> extraConf, List<Path> plugins) {
      tsd = Map.copyOf(extraConf);
      tsdClassPath = List.copyOf(plugins);
      if (hbase == null) {
        hbase = Map.of();
      }
      return this;
    }

    /**
     * Creates these tables instead of the tables of the TSD's configuration.
     *
     * @param given the tables
     * @return this
     */
    public Builder tables(OpenTsdbTables given) {
      tables = given;
      return this;
    }

    /**
     * Starts Kafka.
     *
     * @return this
     */
    public Builder kafka() {
      return kafka(Map.of());
    }

    /**
     * Starts Kafka.
     *
     * @param conf overrides of server.properties
     * @return this
     */
    public Builder kafka(Map<String, String> conf) {
      kafka = Map.copyOf(conf);
      return this;
    }

    /**
     * Starts Kafka of another version.
     *
     * @param version the broker's version
     * @return this
     */
    public Builder kafka(KafkaVersion version) {
      kafkaVersion = version;
      return kafka(Map.of());
    }

    /**
     * Starts S3.
     *
     * @return this
     */
    public Builder s3() {
      s3 = true;
      return this;
    }

    /**
     * Runs HBase and TSDs with the JVM's optimizing compiler, like in production, for measurements.
     * Without it they start faster but never reach full speed.
     *
     * @return this
     */
    public Builder optimized() {
      optimized = true;
      return this;
    }

    /**
     * Starts all servers in parallel; the TSD after HBase and its tables.
     *
     * @return the running servers
     * @throws ServerException with the end of the failed server's log; all servers are stopped
     */
    public Stack start() {
      StackServers servers = new StackServers(dir, optimized);
      List<ParallelStart.Start> starts = new ArrayList<>();
      Map<String, String> hbaseConf = hbase;
      if (hbaseConf != null) {
        starts.add(() -> startHBaseAndTsd(servers, hbaseConf));
      }
      Map<String, String> kafkaConf = kafka;
      if (kafkaConf != null) {
        starts.add(() -> servers.startKafka(kafkaConf, kafkaVersion));
      }
      if (s3) {
        starts.add(servers::startS3);
      }
      servers.start(starts);
      return new Stack(servers);
    }

    private void startHBaseAndTsd(StackServers servers, Map<String, String> hbaseConf)
        throws IOException {
      servers.startHBase(hbaseConf, hbaseFlags);
      if (tables != null) {
        servers.create(tables);
      }
      if (tsd != null) {
        if (tables == null) {
          servers.create(OpenTsdbTables.of(tsd));
        }
        servers.startTsd(DEFAULT_TSD, tsd, tsdClassPath);
      }
    }
  }

  private final StackServers servers;

  private Stack(StackServers servers) {
    this.servers = servers;
  }

  /**
   * A builder that selects the servers to start.
   *
   * @param workDir directory of all servers' files, below target/ in tests; files of a former stack
   *     are reused
   * @return the builder
   */
  public static Builder in(Path workDir) {
    return new Builder(workDir.toAbsolutePath());
  }

  /**
   * HBase.
   *
   * @return the server
   * @throws IllegalStateException when it was not selected
   */
  public HBaseServer hbase() {
    return started("hbase", servers.hbase());
  }

  /**
   * The TSD.
   *
   * @return the server
   * @throws IllegalStateException when it was not selected
   */
  public TsdServer tsd() {
    return tsd(DEFAULT_TSD);
  }

  /**
   * An additional TSD.
   *
   * @param name the name passed to {@link #startTsd}
   * @return the server
   * @throws IllegalStateException when there is none
   */
  public TsdServer tsd(String name) {
    return started(name, servers.tsd(name));
  }

  /**
   * Kafka.
   *
   * @return the server
   * @throws IllegalStateException when it was not selected
   */
  public KafkaServer kafka() {
    return started("kafka", servers.kafka());
  }

  /**
   * S3.
   *
   * @return the server
   * @throws IllegalStateException when it was not selected
   */
  public S3Server s3() {
    return started("s3", servers.s3());
  }

  /**
   * Starts an additional TSD on the same HBase; creates the missing tables of its configuration.
   *
   * @param name its name, which must be new
   * @param conf added to the defaults of {@link TsdServer#defaults}, or instead of them
   * @return the running TSD, which ends with this stack
   * @throws ServerException with the end of the log when it does not start
   */
  public TsdServer startTsd(String name, Map<String, String> conf) {
    return startTsd(name, conf, List.of());
  }

  /**
   * Starts an additional TSD with plugins.
   *
   * @param name its name, which must be new
   * @param conf added to the defaults of {@link TsdServer#defaults}, or instead of them
   * @param plugins jars or class directories
   * @return the running TSD, which ends with this stack
   * @throws ServerException with the end of the log when it does not start
   */
  public TsdServer startTsd(String name, Map<String, String> conf, List<Path> plugins) {
    if (servers.tsd(name) != null) {
      throw new IllegalArgumentException("a TSD with this name already exists: " + name);
    }
    try {
      create(OpenTsdbTables.of(conf));
    } catch (IOException e) {
      throw new UncheckedIOException("the tables of " + name + " were not created", e);
    }
    return servers.startTsd(name, conf, plugins);
  }

  /**
   * Creates the missing tables.
   *
   * @param tables the tables
   * @throws IOException when HBase refuses
   */
  public void create(OpenTsdbTables tables) throws IOException {
    hbase(); // Throws if there is none.
    servers.create(tables);
  }

  private static <T> T started(String name, @Nullable T server) {
    if (server == null) {
      throw new IllegalStateException(name + " is not part of this stack");
    }
    return server;
  }

  /**
   * Stops all servers: TSDs first, then the others.
   *
   * @throws ServerException when a server did not stop cleanly; all have ended nevertheless
   */
  @Override
  public void close() {
    servers.close();
  }
}
