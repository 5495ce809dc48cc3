package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;

/** The servers of a {@link Stack}: their parallel start and ordered stop. */
final class StackServers {
  private final Path dir;
  private final boolean optimized;
  private final Map<String, TsdServer> tsds = Collections.synchronizedMap(new LinkedHashMap<>());
  private final Thread hook = new Thread(this::stop, "testkit-close");
  private volatile @Nullable HBaseServer hbase;
  private volatile @Nullable KafkaServer kafka;
  private volatile @Nullable S3Server s3;

  /**
   * Creates the servers, none of them started; they end with the JVM.
   *
   * @param optimized whether HBase and TSDs run with the JVM's optimizing compiler
   */
  StackServers(Path dir, boolean optimized) {
    this.dir = dir;
    this.optimized = optimized;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Null before its start, as the other servers. */
  @Nullable HBaseServer hbase() {
    return hbase;
  }

  @Nullable KafkaServer kafka() {
    return kafka;
  }

  @Nullable S3Server s3() {
    return s3;
  }

  @Nullable TsdServer tsd(String name) {
    return tsds.get(name);
  }

  void startHBase(Map<String, String> conf, List<String> jvmFlags) {
    hbase = HBaseServer.start(dir.resolve("hbase"), conf, optimized, jvmFlags);
  }

  void startKafka(Map<String, String> conf, KafkaVersion version) {
    kafka = KafkaServer.start(dir.resolve("kafka"), conf, version);
  }

  void startS3() {
    s3 = S3Server.start(dir.resolve("s3"));
  }

  /** Starts a TSD; HBase must run and have the tables. */
  TsdServer startTsd(String name, Map<String, String> conf, List<Path> plugins) {
    TsdServer tsd =
        TsdServer.start(
            dir.resolve(name), name, runningHBase().zkQuorum(), conf, plugins, optimized);
    tsds.put(name, tsd);
    return tsd;
  }

  private HBaseServer runningHBase() {
    HBaseServer running = hbase;
    if (running == null) {
      throw new IllegalStateException("HBase has not started");
    }
    return running;
  }

  /** Creates the missing tables; HBase must run. */
  void create(OpenTsdbTables tables) throws IOException {
    try (Admin admin = runningHBase().connection().getAdmin()) {
      tables.create(admin);
    }
  }

  /**
   * Starts servers in parallel.
   *
   * @throws ServerException of the first failed server, with the other failures suppressed; all
   *     servers are stopped
   */
  void start(List<ParallelStart.Start> starts) {
    try {
      ParallelStart.run(starts);
    } catch (RuntimeException e) {
      try {
        close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Stops all servers: TSDs first, then the others. All have ended, even if a stop was not clean.
   */
  void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is shutting down, so the hook does it.
    }
    stop();
  }

  private void stop() {
    List<Runnable> stops = new ArrayList<>();
    HBaseServer runningHBase = hbase;
    boolean hbaseLives = runningHBase != null && runningHBase.isAlive();
    List<TsdServer> running = new ArrayList<>(tsds.values());
    tsds.clear();
    for (TsdServer tsd : running) {
      // Without HBase a TSD's own shutdown hangs.
      stops.add(hbaseLives ? tsd::close : tsd::kill);
    }
    if (s3 != null) {
      stops.add(s3::close);
    }
    if (kafka != null) {
      stops.add(kafka::close);
    }
    if (hbase != null) {
      stops.add(hbase::close);
    }
    RuntimeException failure = null;
    for (Runnable stop : stops) {
      try {
        stop.run();
      } catch (RuntimeException e) {
        failure = ParallelStart.with(failure, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
